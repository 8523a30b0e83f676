import { expect, test } from "vitest";
import type { OpenTable, ScenarioInfo } from "../src/lib/net/types.ts";
import { ALL, type Filter, filtered } from "../src/lib/seats/wishes.ts";

const table = (id: string, free: OpenTable["free"], changes: Partial<OpenTable> = {}): OpenTable => ({
  id,
  title: "",
  game: "portfolio",
  scenario: "evening",
  turn_label: "",
  options: {},
  controllers: {},
  free,
  opened: false,
  shown: false,
  attended: false,
  rated: false,
  host: null,
  clock: null,
  published: 0,
  ...changes,
});
const hours: Record<string, number> = { short: 1, evening: 3, long: 12, unknown: 0 };
const scenarioOf = (t: OpenTable): ScenarioInfo => ({ hours: hours[t.scenario] ?? 0 }) as ScenarioInfo;
const sideOf = (_: OpenTable, seat: string): string => seat.split("_")[0] ?? "";

const day = { seat: "axis", pace: "day", level: "any" } as const;
const live = { seat: "soviet", pace: "live", level: "first" } as const;
const all = [
  table("1", [day]),
  table("2", [live], { scenario: "short" }),
  table("3", [day, live], { scenario: "long", game: "wir" }),
  table("4", [{ ...live, level: "much" }], { scenario: "unknown" }),
];

test.each([
  [{}, "1:1 2:1 3:2 4:1"],
  [{ game: "wir" }, "3:2"],
  [{ side: "soviet" }, "2:1 3:1 4:1"],
  [{ pace: "day" }, "1:1 3:1"],
  [{ level: "first" }, "1:1 2:1 3:2"],
  [{ length: "short" }, "2:1"],
  [{ length: "evening" }, "1:1 2:1"],
  [{ length: "long" }, "3:2"],
  [{ pace: "day", side: "soviet" }, ""],
] as [Partial<Filter>, string][])("%o", (filter, expected) => {
  const found = filtered(all, { ...ALL, ...filter }, scenarioOf, sideOf);
  expect(found.map((t) => `${t.id}:${t.free.length}`).join(" ")).toBe(expected);
});

test("people near one's own rating are found, game by game", () => {
  const host = (rating: number): Partial<OpenTable> => ({
    rated: true,
    host: { name: "", rating, provisional: false },
  });
  const tables = [
    table("1", [day], host(1700)),
    table("2", [day], host(1701)),
    table("3", [day], { ...host(1500), game: "wir" }),
    table("4", [day]),
    table("5", [day], { rated: true }),
  ];
  const found = (own: Record<string, number>): string[] =>
    filtered(tables, { ...ALL, rated: "near" }, scenarioOf, sideOf, own).map((t) => t.id);
  expect([found({ portfolio: 1500 }), found({ wir: 1400 }), found({})]).toEqual([["1"], ["3"], []]);
});

test("rated tables and friendly ones are told apart", () => {
  const tables = [table("1", [day], { rated: true }), table("2", [day])];
  const found = (rated: Filter["rated"]): string[] =>
    filtered(tables, { ...ALL, rated }, scenarioOf, sideOf).map((t) => t.id);
  expect([found(""), found("rated"), found("friendly")]).toEqual([["1", "2"], ["1"], ["2"]]);
});
