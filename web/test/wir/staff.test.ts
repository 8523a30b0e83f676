import { expect, it, vi } from "vitest";
import type { Body } from "../../src/games/wir/orders/bodies.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";

const advice = {
  current: null as object | null,
  ask: () => {
    advice.current = { steps: [{ line: "get 1; plot 2" }] };
    return Promise.resolve();
  },
  // a player who presses Escape puts the plan away
  followAll: () => Promise.resolve(void (advice.current = null)),
  close: vi.fn(),
};
vi.mock("../../src/lib/analysis/advice.svelte.ts", () => ({ adviceOf: () => advice }));

it("ends without a fault where the plan is put away while its orders are given", async () => {
  const { orderStaff } = await import("../../src/games/wir/orders/staff.ts");
  const table = { match: { view: { ply: 1 }, say: () => undefined } } as unknown as Table;
  await expect(orderStaff(table, { title: "Everyone", groups: [] } as unknown as Body, "fight")).resolves.toBe(
    undefined,
  );
});
