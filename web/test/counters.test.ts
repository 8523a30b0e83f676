import { expect, test } from "vitest";
import { sinceTheStart } from "../src/games/wir/model/score.ts";
import { names } from "../src/games/portfolio/names.ts";
import { codeOf, type UnitSymbol } from "../src/lib/counters/symbol.ts";
import type { StaticUnit } from "../src/lib/net/types.ts";
import { plainShape } from "../src/lib/counters/plain.ts";

const UNIT = { id: "1G", side: "soviet", nation: "SU", size: "army", name: "1. Guards", mark: "" };

test("each kind of unit has a shape of its own in a few strokes", () => {
  const symbols = ["armor", "mechanized", "infantry", "cavalry", "air", "depot", undefined] as const;
  const shapeOf = (symbol: UnitSymbol | undefined): string => plainShape(codeOf(symbol, "J"));
  expect(new Set(symbols.map(shapeOf)).size).toBe(symbols.length);
  expect(shapeOf("mountain")).toBe(shapeOf("infantry"));
});

test("counters are drawn by what the data say of their type, whatever it is called", () => {
  const guards = { ...UNIT, type: "guards", symbol: "shock" } as StaticUnit;
  expect([names.badge(guards), names.sidc({ ...guards, symbol: "armor" })]).toEqual(["Sh", "SFGPUCA----K---"]);
});

test("a score is told by what has changed since the start", () => {
  expect(sinceTheStart(1972, 1972)).toEqual({ value: "±0", text: "points since the start" });
  expect(sinceTheStart(1932, 1972)).toEqual({ value: "+40", text: "for the Axis since the start" });
  expect(sinceTheStart(1980, 1972)).toEqual({ value: "+8", text: "for the Soviets since the start" });
  expect(sinceTheStart(1980, null).value).toBe("");
});
