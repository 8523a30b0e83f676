import { expect, test } from "vitest";
import { sinceTheStart } from "../src/games/wir/model/score.ts";
import { plainShape } from "../src/lib/counters/plain.ts";

test("each kind of unit has a shape of its own in a few strokes", () => {
  const codes = [
    "SFGPUCA---J---",
    "SFGPUCIZ--J---",
    "SFGPUCI---J---",
    "SFGPUCR---J---",
    "SFGPUCVF--J---",
    "SFGPUSS------",
  ];
  expect(new Set(codes.map(plainShape)).size).toBe(codes.length);
  expect(plainShape("SFGPUCIO--J---")).toBe(plainShape("SFGPUCI---J---"));
});

test("a score is told by what has changed since the start", () => {
  expect(sinceTheStart(1972, 1972)).toEqual({ value: "±0", text: "points since the start" });
  expect(sinceTheStart(1932, 1972)).toEqual({ value: "+40", text: "for the Axis since the start" });
  expect(sinceTheStart(1980, 1972)).toEqual({ value: "+8", text: "for the Soviets since the start" });
  expect(sinceTheStart(1980, null).value).toBe("");
});
