import { expect, it } from "vitest";
import { isFrozen } from "../../src/lib/map/frost.ts";
import type { Hex } from "../../src/lib/map/model.ts";

const game = { coldZone: (h: Hex) => h.id.startsWith("N"), sideLooks: {} };
const hex = (id: string): Hex => ({ id }) as Hex;
const cold = { snow: "cold zone", wet: false } as const;

it("says of rivers and lakes in the cold zone alone that they are frozen", () => {
  expect(isFrozen(game, cold, "river", [hex("N1"), hex("N2")])).toBe(true);
  expect(isFrozen(game, cold, "river", [hex("N1"), hex("S1")])).toBe(false);
  expect(isFrozen(game, cold, "border", [hex("N1"), hex("N2")])).toBe(false);
  expect(isFrozen(game, { snow: "none", wet: true }, "river", [hex("N1"), hex("N2")])).toBe(false);
  expect(isFrozen(game, { snow: "all", wet: false }, "lake", [hex("S1"), hex("S2")])).toBe(true);
});
