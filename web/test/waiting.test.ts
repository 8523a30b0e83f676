import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hearOfStore } from "../src/lib/net/store.ts";
import type { MatchSummary } from "../src/lib/net/types.ts";
import { remember } from "../src/lib/state/match/keys.ts";
import { byTurn, isMyTurn, nextTurn, waitsForMe } from "../src/lib/waiting/turns.ts";
import { Waiting } from "../src/lib/waiting/waiting.svelte.ts";

const person = { kind: "human" as const };
const computer = { kind: "bot" as const, bot: "random" };

/** A match in which one plays the Axis against another person and is asked, but for what is changed. */
const match = (id: string, changes: Partial<MatchSummary> = {}): MatchSummary => ({
  id,
  title: "",
  game: "portfolio",
  scenario: "x",
  turn_label: "",
  phase_label: "",
  to_move: "axis",
  over: false,
  updated: Number(id),
  controllers: { axis: person, soviet: person },
  waiting: [],
  owned: [],
  mine: ["axis"],
  ...changes,
});

test.each([
  ["asked by a person", {}, true, true],
  ["the other one is asked", { to_move: "soviet" }, false, false],
  ["against the computer", { controllers: { axis: person, soviet: computer } }, true, false],
  ["one's own seat handed to the computer", { controllers: { axis: computer, soviet: person } }, false, false],
  ["both seats one's own", { mine: ["axis", "soviet"] }, true, false],
  ["nobody has come yet", { waiting: ["soviet"] }, true, false],
  ["looking on", { mine: [] }, false, false],
  ["over", { over: true, to_move: null }, false, false],
  ["over, and asked for a rematch", { over: true, to_move: null, rematch: true }, false, true],
] as const)("%s", (_, changes, mine, waits) => {
  const m = match("1", changes as Partial<MatchSummary>);
  expect([isMyTurn(m), waitsForMe(m)]).toEqual([mine, waits]);
});

const solo = (id: string): MatchSummary => match(id, { controllers: { axis: person, soviet: computer } });
const ids = (matches: readonly MatchSummary[]): string[] => matches.map((m) => m.id);

test("the list begins with matches in which others wait, and ends with those that are over", () => {
  const all = [match("9", { over: true, to_move: null }), match("8", { to_move: "soviet" }), solo("7"), match("3")];
  expect(ids(byTurn([...all, match("4")]))).toEqual(["4", "3", "7", "8", "9"]);
});

test("the way to the next match comes round to all of them, and to people before the computer", () => {
  const all = [match("2"), match("10"), match("30"), solo("5"), match("11", { to_move: "soviet" })];
  expect(["2", "10", "30", "5", ""].map((here) => nextTurn(all, here)?.id)).toEqual(["10", "30", "2", "10", "2"]);
  expect(nextTurn([match("2"), solo("5"), solo("7")], "2")?.id).toBe("5");
  expect(nextTurn([match("2")], "2")).toBeNull();
  expect(nextTurn([match("2"), match("3", { over: true, to_move: null, rematch: true })], "2")?.id).toBe("3");
});

const kept = new Map<string, string>();
let asked: string[][] = [];

/** A server that knows these matches. */
function serve(matches: MatchSummary[]): void {
  asked = [];
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    const { keys } = JSON.parse(init.body as string) as { keys: Record<string, unknown> };
    asked.push(Object.keys(keys).toSorted());
    return Promise.resolve(new Response(JSON.stringify(matches.filter((m) => m.id in keys))));
  });
}

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
  hearOfStore("a".repeat(16));
});
afterEach(() => vi.unstubAllGlobals());

test("the match on the screen speaks for itself, and is counted once", async () => {
  serve([match("1"), match("2")]);
  for (const id of ["1", "2"]) remember(id, { axis: "key" });
  const waiting = new Waiting();
  await waiting.look();
  expect([waiting.count, waiting.mark]).toEqual([2, "(2) "]);
  waiting.show("1", false);
  expect([waiting.count, waiting.elsewhere, waiting.next?.id]).toEqual([1, 1, "2"]);
  waiting.show("1", true);
  expect([waiting.count, waiting.elsewhere]).toEqual([2, 1]);
  waiting.leave("2");
  expect(waiting.elsewhere, "another page has left").toBe(1);
  waiting.leave("1");
  expect(waiting.elsewhere).toBe(2);
});

test("nothing is asked where there is nothing to learn", async () => {
  serve([match("1", { over: true, to_move: null }), match("2")]);
  const waiting = new Waiting();
  await waiting.look();
  expect(asked).toEqual([]);
  remember("2", { axis: "key" });
  waiting.show("2", true);
  await waiting.look();
  expect(asked).toEqual([]);
  remember("1", { axis: "key" });
  await waiting.look();
  expect(asked).toEqual([["1", "2"]]);
  await waiting.look();
  expect(asked, "what is over is not asked for again").toEqual([["1", "2"]]);
});

test("for some days after the end the others may ask for a rematch", async () => {
  const day = 24 * 3_600_000;
  const over = match("1", { over: true, to_move: null, updated: 10 * day });
  vi.useFakeTimers({ now: 11 * day });
  try {
    remember("1", { axis: "key" });
    const waiting = new Waiting();
    serve([over]);
    await waiting.look();
    serve([{ ...over, rematch: true }]);
    await waiting.look();
    expect([waiting.count, waiting.next?.id]).toEqual([1, "1"]);
    vi.setSystemTime(14 * day);
    await waiting.look();
    serve([over]);
    await waiting.look();
    expect(asked, "much later only the list asks").toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test("a server that does not answer changes nothing", async () => {
  serve([match("1")]);
  remember("1", { axis: "key" });
  const waiting = new Waiting();
  await waiting.look();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("gone")));
  await waiting.look();
  expect(waiting.count).toBe(1);
});
