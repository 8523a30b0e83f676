import { describe, expect, it } from "vitest";
import { eventKinds } from "../src/games/portfolio/eventKinds.ts";
import { nextShown, type Step } from "../src/games/wir/execution/steps.ts";
import { FIGURES, figureOf } from "../src/games/wir/model/figure.ts";
import { endOfLastWeek } from "../src/games/wir/orders/lastWeek.ts";
import type { LogEntry } from "../src/lib/net/types.ts";
import { sinceOwnTurn } from "../src/lib/state/lastTurn.ts";
import { worthShowing } from "../src/lib/state/match/weight.ts";

const entry = (ply: number, seat: string, turn: string, ...kinds: string[]): LogEntry =>
  ({ ply, seat, turn, action: "", phase: "", events: kinds.map((kind) => ({ kind, text: kind })) }) as never;

describe("what a playback shows", () => {
  const steps = ["segment", "moves", "segment", "fight", "segment"].map((kind) => ({ kind }) as Step);

  it("passes over headings, and over marches where only battles are wanted", () => {
    expect([0, 1, 2, 4].map((n) => nextShown(steps, n, false))).toEqual([1, 1, 3, 5]);
    expect([0, 1, 2, 4].map((n) => nextShown(steps, n, true))).toEqual([3, 3, 3, 5]);
  });

  it("leaves out steps that say nothing, and those that are no battle where only these are wanted", () => {
    expect(worthShowing(entry(1, "axis", "1"), eventKinds, false)).toBe(false);
    expect(worthShowing(entry(1, "axis", "1", "moves"), eventKinds, false)).toBe(true);
    expect(worthShowing(entry(1, "axis", "1", "moves"), eventKinds, true)).toBe(false);
    expect(worthShowing(entry(1, "axis", "1", "moves", "combat"), eventKinds, true)).toBe(true);
  });
});

describe("the figure on a counter", () => {
  const units = [
    { strength: 100, experience: 80, fatigue: 20 },
    { strength: 50, experience: 60, fatigue: 40 },
  ] as never;
  const group = { units, strength: 150, power: 82, entrench: 2, supplied: true };

  it("says what was chosen", () => {
    expect(FIGURES.map(({ id }) => figureOf(group, "axis", id))).toEqual(["150", "82", "30", "70", "S", "2"]);
  });

  it("says nothing of a hidden group", () => {
    expect(FIGURES.map(({ id }) => id).filter((id) => id !== "supply" && figureOf({}, "axis", id))).toEqual([]);
  });
});

describe("since one's own turn", () => {
  const said = (kind: string, side = ""): object => ({ kind, text: kind, data: { side } });
  const step = (ply: number, ...events: object[]): LogEntry => ({ ply, seat: "", turn: "", events }) as never;
  const log = [
    step(1, said("phase", "soviet"), said("combat")),
    step(2, said("phase", "axis"), said("combat")),
    step(3, said("phase", "soviet")),
    step(4, said("combat"), said("eliminated"), said("phase", "soviet")),
    step(5, said("captured")),
    step(6, said("phase", "axis")),
    step(7, said("combat")),
  ];

  it("counts the battles of the other side and names what was taken and lost", () => {
    const lines = ["eliminated", "captured"];
    expect(sinceOwnTurn(log, "axis", eventKinds)).toEqual({ from: 3, to: 6, battles: 1, lines, answers: [] });
    expect(sinceOwnTurn(log, "soviet", eventKinds)).toEqual({
      from: 6,
      to: 8,
      battles: 1,
      lines: [],
      answers: [],
    });
    expect(sinceOwnTurn(log.slice(1, 2), "axis", eventKinds)).toBe(null);
  });

  it("goes back over quiet phases, as far as the reader has not fought since", () => {
    const quiet = [
      ...log.slice(0, 5),
      step(6, said("phase", "axis"), said("captured")),
      step(7, said("phase", "soviet")),
      step(8, said("phase", "axis")),
    ];
    const lines = ["eliminated", "captured"];
    expect(sinceOwnTurn(quiet, "axis", eventKinds)).toEqual({ from: 3, to: 8, battles: 1, lines, answers: [] });
    const fought = [...log, step(8, said("phase", "soviet")), step(9, said("phase", "axis"))];
    expect(sinceOwnTurn(fought, "axis", eventKinds)).toMatchObject({ from: 8, battles: 0, lines: [] });
  });

  it("tells in plain words what standing orders answered, and how often", () => {
    const given = (ply: number, words: string, ...events: object[]): LogEntry => ({
      ...step(ply, ...events),
      action: "stand",
      standing: true,
      words,
    });
    const answered = [...log, given(8, "Stand"), given(9, "Stand"), given(10, "to N6", said("moved")), given(11, "")];
    expect(sinceOwnTurn(answered, "soviet", eventKinds)?.answers).toEqual(["Stand (2 times)", "moved"]);
  });

  it("counts what standing orders answered in that turn, and nothing from before it", () => {
    const stand = (ply: number): LogEntry => ({
      ...entry(ply, "axis", "1"),
      action: "stand",
      words: "Stand",
      standing: true,
    });
    const before = { ...entry(0, "axis", "1"), action: "hold", standing: true };
    expect(sinceOwnTurn([before, ...log, stand(20), stand(21)], "axis", eventKinds)?.answers).toEqual([
      "Stand (2 times)",
    ]);
  });
});

describe("last week", () => {
  it("ends with the last order of the seat in the turn before", () => {
    const log = [entry(4, "axis", "1"), entry(5, "soviet", "1"), entry(6, "axis", "2"), entry(7, "soviet", "2")];
    expect(endOfLastWeek(log, "axis", "2")).toBe(4);
    expect(endOfLastWeek(log, "soviet", "2")).toBe(5);
    expect(endOfLastWeek(log, "axis", "1")).toBe(6);
    expect(endOfLastWeek([], "axis", "1")).toBe(null);
  });
});
