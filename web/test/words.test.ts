import { describe, expect, it } from "vitest";
import { conditionOf, factorsLeft } from "../src/games/portfolio/condition.ts";
import { inHandTitle } from "../src/games/portfolio/inHand.ts";

describe("what a unit can still do, in words", () => {
  it("tells what of a movement factor is left", () => {
    expect(factorsLeft({ factor: 6, left: 6, bonusLeft: 2 })).toBe("6 movement factors, bonus 2");
    expect(factorsLeft({ factor: 6, left: 2, bonusLeft: 2 })).toBe("2 of 6 movement factors left, bonus 2");
    expect(factorsLeft({ factor: 1, left: 1, bonusLeft: 0 })).toBe("1 movement factor");
    expect(factorsLeft({ factor: 6, left: 0, bonusLeft: 0 })).toBe("0 of 6 movement factors left");
  });
  it("calls no unit ready that has moved or attacked", () => {
    expect(conditionOf({})).toBe("");
    expect(conditionOf({ moved: true })).toBe("moved");
    expect(conditionOf({ moved: true, spent: true })).toBe("Spent");
    expect(conditionOf({ attacked: true, fuel_short: true })).toBe("attacked, no fuel");
  });
});

describe("the heading over units in hand", () => {
  it("says what they are about to do", () => {
    expect(inHandTitle("moving", false)).toBe("On the move");
    expect(inHandTitle("deploying", false)).toBe("Taken up");
  });
  it("takes up no unit of the enemy, whose retreat the attacker chooses", () => {
    expect(inHandTitle("retreat", true)).toBe("Enemy, retreating");
    expect(inHandTitle("other", true)).toBe("Enemy");
  });
});
