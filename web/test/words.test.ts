import { describe, expect, it } from "vitest";
import { underOrders } from "../src/games/portfolio/attack/orders.ts";
import { conditionOf, factorsLeft } from "../src/games/portfolio/condition.ts";
import { mapKey } from "../src/games/portfolio/mapKey.ts";
import { weatherWords } from "../src/games/portfolio/weather.ts";
import type { PortfolioWeatherEffect } from "../src/lib/api/schema";
import { inHandTitle } from "../src/games/portfolio/inHand.ts";

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

const effect = (movement: [string, string], overrun: [boolean, boolean]) =>
  ({ movement, overrun }) as unknown as PortfolioWeatherEffect;

describe("what weather does, in words", () => {
  it("says whom it slows and who may not overrun", () => {
    expect(weatherWords(effect(["full", "full"], [true, true]))).toBe("");
    expect(weatherWords(effect(["half_down", "half_up"], [false, false]))).toBe("Movement halved, no overruns.");
    expect(weatherWords(effect(["half_down", "full"], [true, false]))).toBe(
      "Axis movement halved, no Soviet overruns.",
    );
    expect(weatherWords(effect(["full", "full"], [false, true]))).toBe("No Axis overruns.");
  });
  it("is what the map key says of mud in this match", () => {
    const mud = mapKey.flatMap(([, entries]) => entries).find(({ title }) => title === "Mud")!;
    const said = (chart: PortfolioWeatherEffect) =>
      typeof mud.text === "function" && mud.text({ weather: { mud: chart } } as never);
    expect(said(effect(["half_down", "half_down"], [false, false]))).toBe("Movement halved, no overruns.");
    expect(said(effect(["full", "half_down"], [false, false]))).toBe("Soviet movement halved, no overruns.");
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

it("what No Retreat! orders change is said in the engine's words", () => {
  const told = ["{unit:8A} is Dispersed and driven back up to 4 hexes, as the attacker likes", "{unit:1TG} holds"];
  const held = ['{unit:8A} is eliminated ("No Retreat!")', "{unit:1TG} holds"];
  expect(underOrders(told, held)).toEqual([held[0]]);
  expect(underOrders(told)).toEqual([]);
});
