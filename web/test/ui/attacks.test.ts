import { expect, it } from "vitest";
import type { Odds } from "../../src/lib/net/types.ts";
import { oddsOf } from "../../src/lib/state/table/attacks.svelte.ts";

it("gives no odds against a hex that nobody is left in", () => {
  expect(oddsOf({ final: "1:8", columns: [], legal: true } as unknown as Odds)).toBe("cleared");
  expect(oddsOf({ final: "1:8", columns: [{}], legal: true } as unknown as Odds)).toBe("1:8");
  expect(oddsOf({ final: "3:1", legal: true } as Odds)).toBe("3:1");
});
