import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eventKinds } from "../../src/games/portfolio/eventKinds.ts";
import { buildSteps, nextShown } from "../../src/games/wir/execution/steps.ts";
import type { LogEntry, View } from "../../src/lib/net/types.ts";
import { Playback } from "../../src/lib/state/match/playback.svelte.ts";
import recorded from "./playback.jsonl?raw";

const prefs = vi.hoisted(() => ({ stepTime: 100, onlyBattles: false }));
vi.mock("../../src/lib/state/prefs.svelte.ts", () => ({ prefs }));

const [week, turn] = recorded
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as unknown) as [
  { units: { id: string; hex: string }[]; entry: LogEntry },
  LogEntry[],
];

describe("a recorded week of War in Russia", () => {
  const start = new Map(week.units.map((u) => [u.id, u.hex]));
  const steps = buildSteps(week.entry.events, start);
  const shown = (onlyBattles: boolean): number[] => {
    const found: number[] = [];
    for (let n = nextShown(steps, 0, onlyBattles); n < steps.length; n = nextShown(steps, n + 1, onlyBattles))
      found.push(n);
    return found;
  };

  it.each([false, true])("has something to read and to see in each step (only battles: %s)", (onlyBattles) => {
    const found = shown(onlyBattles);
    expect(found.length).toBeGreaterThan(10);
    const empty = found.filter((n) => {
      const { title, texts, arrows, bursts, focus, places } = steps[n]!;
      const before = n ? steps[n - 1]!.places : start;
      const changed = [...places].some(([id, hex]) => before.get(id) !== hex);
      return !title || !texts.length || !(arrows.length || bursts.length || focus || changed);
    });
    expect(empty.map((n) => steps[n]!.texts)).toEqual([]);
  });

  it("shows each event that happens at some place", () => {
    const told = new Set(shown(false).flatMap((n) => steps[n]!.texts));
    const fights = week.entry.events.filter((e) => e.kind === "fight" || e.kind === "retreats");
    expect(fights.length).toBeGreaterThan(5);
    expect(fights.filter((e) => !told.has(e.text))).toEqual([]);
  });
});

describe("a recorded player-turn of The Russian Portfolio", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** The entries that were on the screen for a while, in order; the last one stays. */
  async function watched(batch: number): Promise<number[]> {
    const shown: { ply: number; at: number }[] = [];
    const at = (ply: number): Promise<View> => Promise.resolve({ ply } as View);
    const show = (view: View): Promise<void> => Promise.resolve(void shown.push({ ply: view.ply, at: Date.now() }));
    const playback = new Playback(at, show, () => eventKinds);
    const first = turn[0]!.ply;
    for (let n = 0; n < turn.length; n += batch) {
      const some = turn.slice(n, n + batch);
      playback.add({ ply: some.at(-1)!.ply + 1, last_events: some } as unknown as View, first + n);
    }
    await vi.runAllTimersAsync();
    expect(playback.running).toBe(false);
    expect(shown.at(-1)?.ply).toBe(turn.at(-1)!.ply + 1);
    return shown.filter((s, n) => n === shown.length - 1 || shown[n + 1]!.at > s.at).map((s) => s.ply);
  }

  // the computer's orders come one by one, after a pause of the network many at a time
  it.each([
    [1, false],
    [40, false],
    [1, true],
    [40, true],
  ])("shows no step in which nothing happens (%i at a time, only battles: %s)", async (batch, onlyBattles) => {
    prefs.onlyBattles = onlyBattles;
    const wanted = turn.filter((e) =>
      e.events.some((v) => v.text && (!onlyBattles || eventKinds.highlights.includes(v.kind))),
    );
    expect(wanted.length).toBeGreaterThan(5);
    const last = turn.at(-1)!;
    expect(await watched(batch)).toEqual([...new Set([...wanted, last])].map((e) => e.ply + 1));
  });

  it("lets each step be seen as long, though the next one comes a moment later", async () => {
    prefs.onlyBattles = false;
    const shown: number[] = [];
    const playback = new Playback(
      () => Promise.reject(new Error()),
      () => Promise.resolve(void shown.push(Date.now())),
      () => eventKinds,
    );
    for (const e of turn.filter((e) => e.events.some((v) => v.kind === "moved")).slice(0, 4)) {
      playback.add({ ply: e.ply + 1, last_events: [e] } as unknown as View, e.ply);
      await vi.advanceTimersByTimeAsync(30);
    }
    await vi.runAllTimersAsync();
    expect(shown.length).toBe(4);
    expect(shown.slice(1).map((at, n) => at - shown[n]!)).toEqual([100, 100, 100]);
    // and what can be answered is not kept from the player meanwhile
    expect([playback.waiting, playback.running]).toEqual([0, false]);
  });
});
