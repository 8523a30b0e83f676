import { expect, it } from "vitest";
import { isFrozen } from "../../src/lib/map/frost.ts";

const frost = { snow: "cold zone", wet: false, ice: true } as const;
const river = { a: "1", b: "2", kind: "river" };

it("calls frozen what the engine says freezes, where there is ice", () => {
  expect(isFrozen(frost, { ...river, freezes: true })).toBe(true);
  expect(isFrozen(frost, { ...river, freezes: false })).toBe(false);
  expect(isFrozen(frost, river)).toBe(false);
  expect(isFrozen({ ...frost, ice: false }, { ...river, freezes: true })).toBe(false);
});
