import { describe, expect, it } from "vitest";
import { eventKinds } from "../src/games/portfolio/eventKinds.ts";
import type { GameEvent, LogEntry } from "../src/lib/net/types.ts";
import { battleReport } from "../src/lib/state/report.ts";

const entry = (ply: number, ...events: [string, string, Record<string, unknown>?][]): LogEntry => ({
  ply,
  seat: "axis",
  action: "x",
  turn: "22 Jun 41",
  phase: "",
  events: events.map(([kind, text, data = {}]) => ({ kind, text, rule: "", data }) as GameEvent),
});

describe("the report of the last battle", () => {
  const fight = entry(3, ["combat", "Attack 1: die 4", { die: 4 }], ["result", "must retreat (D1)"]);

  it("begins with the roll and goes on to the newest event", () => {
    const report = battleReport(
      [entry(2, ["moved", "x"]), fight, entry(4), entry(5, ["retreated", "back 2"])],
      eventKinds,
    );
    expect(report?.ply).toBe(3);
    expect(report?.lines).toEqual([
      { text: "Attack 1: die 4", die: 4 },
      { text: "must retreat (D1)", die: null },
      { text: "back 2", die: null },
    ]);
  });

  it("is over with the phase", () => {
    expect(battleReport([fight, entry(4, ["phase", "Soviet: Initial operations"])], eventKinds)).toBeNull();
    expect(battleReport([entry(1, ["moved", "x"])], eventKinds)).toBeNull();
  });
});
