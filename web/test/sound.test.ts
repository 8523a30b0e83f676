import { expect, test } from "vitest";
import { eventKinds } from "../src/games/portfolio/eventKinds.ts";
import type { GameEvent, LogEntry } from "../src/lib/net/types.ts";
import { type Cue, cueOf, heard } from "../src/lib/sound/cues.ts";

const CUES: readonly Cue[] = ["dice", "orders", "turn"];
const all = (wish: { volume: number; turnUnseen: boolean }, unseen: boolean): Cue[] =>
  CUES.filter((cue) => heard(cue, wish, unseen));

test("nothing is heard unless it is wished, and of a page nobody sees only the turn, if asked", () => {
  for (const unseen of [false, true])
    for (const turnUnseen of [false, true]) expect(all({ volume: 0, turnUnseen }, unseen)).toEqual([]);
  for (const turnUnseen of [false, true]) expect(all({ volume: 40, turnUnseen }, false)).toEqual(CUES);
  expect(all({ volume: 40, turnUnseen: false }, true)).toEqual([]);
  expect(all({ volume: 40, turnUnseen: true }, true)).toEqual(["turn"]);
});

const entry = (seat: string, kind: string, data: Record<string, unknown> = {}): LogEntry => ({
  ply: 1,
  seat,
  action: "",
  events: [{ kind, text: "", rule: "", data } as GameEvent],
  turn: "",
  phase: "",
});

test("dice sound before orders, and what others do without dice is silent", () => {
  expect(cueOf([entry("axis", "moved")], "axis", eventKinds)).toBe("orders");
  expect(cueOf([entry("soviet", "moved")], "axis", eventKinds)).toBe(null);
  expect(cueOf([entry("axis", "moved"), entry("soviet", "combat", { die: 4 })], "axis", eventKinds)).toBe("dice");
  expect(cueOf([], "axis", eventKinds)).toBe(null);
  expect(cueOf([entry("", "moved")], "", eventKinds)).toBe(null);
});
