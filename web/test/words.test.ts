import { describe, expect, it } from "vitest";
import { conditionOf, factorsLeft } from "../src/games/portfolio/condition.ts";

describe("what a unit can still do, in words", () => {
  it("tells what of a movement factor is left", () => {
    expect(factorsLeft({ factor: 6, left: 6, bonusLeft: 2 })).toBe("6 movement factors, bonus 2");
    expect(factorsLeft({ factor: 6, left: 2, bonusLeft: 2 })).toBe("2 of 6 movement factors left, bonus 2");
    expect(factorsLeft({ factor: 6, left: 0, bonusLeft: 0 })).toBe("0 of 6 movement factors left");
  });
  it("calls no unit ready that has moved or attacked", () => {
    expect(conditionOf({})).toBe("");
    expect(conditionOf({ moved: true })).toBe("moved");
    expect(conditionOf({ moved: true, spent: true })).toBe("Spent");
    expect(conditionOf({ attacked: true, fuel_short: true })).toBe("attacked, no fuel");
  });
});
