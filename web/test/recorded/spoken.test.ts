import { describe, expect, it, vi } from "vitest";
import { eventKinds as portfolioKinds } from "../../src/games/portfolio/eventKinds.ts";
import { weekInShort } from "../../src/games/wir/execution/summary.ts";
import { eventKinds as wirKinds } from "../../src/games/wir/model/eventKinds.ts";
import type { GameEvent, LogEntry } from "../../src/lib/net/types.ts";
import { spokenEntries, spokenEvents } from "../../src/lib/state/table/news.svelte.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";
import { MapModel } from "../../src/lib/map/model.ts";
import events from "./events.jsonl?raw";
import playback from "./playback.jsonl?raw";

vi.mock("../../src/lib/state/prefs.svelte.ts", () => ({ prefs: {} }));

type Example = GameEvent & { game: string };
const [{ names }, ...examples] = events
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as unknown) as [{ names: Record<string, Record<string, string>> }, ...Example[]];
const places = new Map(Object.entries({ R6: "Baranovichi", "1720": "Kursk" }));
const named: MapModel["named"] = (id, before) =>
  MapModel.prototype.named.call({ byId: { get: (hex: string) => ({ place: { name: places.get(hex) } }) } }, id, before);
const tableOf = (game: string, kinds = portfolioKinds): Table =>
  ({
    unitName: (id: string) => names[game]?.[id] ?? `Group ${id}`,
    sideOf: (id: string) => (Number(id) < 64 ? "axis" : "soviet"),
    map: { named },
    game: { events: kinds, inShort: game === "wir" ? weekInShort : undefined },
  }) as unknown as Table;
const entry = (ply: number, ...told: GameEvent[]): LogEntry => ({ ply, turn: "", events: told }) as never;

describe("what a screen reader reads", () => {
  it.each(examples.map((e) => [`${e.game} ${e.kind}`, e] as const))("of %s is words", (_, e) => {
    const [text = ""] = spokenEvents(tableOf(e.game), [e]);
    expect(text).toMatch(/^\S.*\w.*\.$/);
    expect(text).not.toMatch(/[{}]|undefined|null/);
    for (const [, id = ""] of e.text.matchAll(/\{unit:([^{}]+)\}/g)) {
      const name = names[e.game]![id]!;
      expect(name).toBeTruthy();
      expect(text).toContain(name);
      if (e.game === "portfolio") expect(text.replaceAll(name, "").split(/\W+/)).not.toContain(id);
    }
  });

  it("names a place once, with its hex", () => {
    const say = (text: string): string[] => spokenEvents(tableOf("portfolio"), [{ text } as GameEvent]);
    expect(say("Axis forces take Baranovichi {hex:R6}")).toEqual(["Axis forces take Baranovichi R6."]);
    expect(say("{unit:8A} is eliminated in {hex:R6}")).toEqual(["8. Army is eliminated in Baranovichi R6."]);
    expect(say("{unit:8A} is eliminated in {hex:R7}")).toEqual(["8. Army is eliminated in R7."]);
  });

  it("is the newest dozen of many lines, and how many there are besides", () => {
    const log = Array.from({ length: 30 }, (_, n) => entry(n, { kind: "moved", text: `Move ${n}` } as GameEvent));
    const said = spokenEntries(tableOf("portfolio"), log);
    expect(said).toMatch(/^18 earlier lines are in the log\. Move 18\. .* Move 29\.$/);
    expect(spokenEntries(tableOf("portfolio"), log.slice(0, 2))).toBe("Move 0. Move 1.");
  });

  it("of an executed week is its sum, and then its battles, not everything in order", () => {
    const week = (JSON.parse(playback.split("\n")[0]!) as { entry: LogEntry }).entry;
    const said = spokenEntries(tableOf("wir", wirKinds), [week]);
    expect(week.events.length).toBeGreaterThan(70);
    expect(said).toMatch(/^Report of the week, [^:]+: \d+ assaults?, .*\. Axis losses: .*\. Soviet losses: /);
    expect(said).not.toMatch(/[{}]| moves from |Bombs and shells/);
    expect(said.split(". ").length).toBeLessThan(30);
    expect(said).toContain(" against Group ");
  });
});
