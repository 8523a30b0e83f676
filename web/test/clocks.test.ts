import { expect, test } from "vitest";
import { choiceOf, presetOf, PRESETS, presetWords, termsWords, timeWords } from "../src/lib/clocks/terms.ts";
import { agreementOf, type Terms } from "../src/lib/seats/agreement.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test("times are read at a glance", () => {
  expect([0, 999, 61_000, 59 * MINUTE].map(timeWords)).toEqual(["0:00", "0:00", "1:01", "59:00"]);
  expect([60 * MINUTE, 25.5 * 60 * MINUTE].map(timeWords)).toEqual(["1 h 0 min", "25 h 30 min"]);
  expect([2 * DAY, 9.5 * DAY].map(timeWords)).toEqual(["2 d 0 h", "9 d 12 h"]);
});

test("what is agreed is a sentence", () => {
  expect(termsWords({ pace: "days", bank_ms: 10 * DAY, turn_ms: DAY, holiday_ms: 14 * DAY, lapse: "open" })).toBe(
    "Each has 10 days at first and at most, 1 day more with each turn, and 14 days of holidays. " +
      "When the time of a player is up, the seat is open to a substitute.",
  );
  expect(termsWords({ pace: "live", bank_ms: 90 * MINUTE, turn_ms: 0, holiday_ms: 0, lapse: "end" })).toBe(
    "Each has 90 minutes at first and at most. When the time of a player is up, the game is lost.",
  );
});

test("a choice goes to the server without its words", () => {
  expect(choiceOf("", "open")).toBeNull();
  expect(Object.keys(choiceOf("live", "end") ?? {}).sort()).toEqual([
    "bank_minutes",
    "holiday_days",
    "lapse",
    "pace",
    "turn_minutes",
  ]);
});

test("a choice is found again among the clocks on offer", () => {
  expect(Object.keys(PRESETS).map((id) => presetOf(choiceOf(id, "open")))).toEqual(Object.keys(PRESETS));
  expect(presetOf(null)).toBe("");
});

test("a clock on offer is said by its own numbers", () => {
  expect(Object.values(PRESETS).map(presetWords)).toEqual([
    "live: 30 minutes, 10 minutes more a turn",
    "live: 1 hour, 20 minutes more a turn",
    "live: 2 hours, 30 minutes more a turn",
    "1 day a turn, 5 days in reserve",
    "3 days a turn, 10 days in reserve",
    "7 days a turn, 21 days in reserve",
  ]);
});

test("a rated game has no hints, and a clock of which the server says how it ends", () => {
  const terms: Terms = {
    name: "", hints: true, open: false, pace: "day", level: "any", clock: null, behind: null, rated: true,
  }; // prettier-ignore
  const rated = { hints: false, rated: true };
  expect(agreementOf(terms)).toEqual({ ...rated, clock: choiceOf("daily") });
  const quick = { ...terms, clock: choiceOf("quick", "computer") };
  expect(agreementOf(quick)).toEqual({ ...rated, clock: choiceOf("quick") });
  expect(agreementOf({ ...terms, rated: false })).toEqual({ hints: true });
});
