import { expect, it } from "vitest";
import { oddsOf } from "../../src/lib/state/table/attacks.svelte.ts";

it("gives no odds against a hex that nobody is left in", () => {
  expect(oddsOf({ final: "1:8", columns: [], legal: true })).toBe("cleared");
  expect(oddsOf({ final: "1:8", columns: [{}], legal: true })).toBe("1:8");
  expect(oddsOf({ final: "3:1", legal: true })).toBe("3:1");
});
