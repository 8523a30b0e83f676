import { expect, it, vi } from "vitest";
import { step, stepOption } from "../../src/games/wir/table/orders.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";

const orders = [
  { action: "step 1", verb: "step", number: 1 },
  { action: "step 2", verb: "step", number: 2 },
  { action: "railmove 0518", verb: "railmove", hex: "0518" },
];
const wir = {
  kind: "orders",
  mode: "march",
  inHand: { hex: "0519" },
  of: (verb: string) => orders.filter((o) => o.verb === verb),
};
vi.mock("../../src/games/wir/table/tableState.svelte.ts", () => ({ wirState: () => wir }));

const [NORTH, NORTH_EAST] = [1, 2];
/** The hexes north and north-east of 0519, by the directions of the map. */
const around: Record<number, string> = { 3: "0518", 2: "0618" };
const match = { ask: vi.fn(() => Promise.resolve({ legal: false, reason: "no rails", rule: "6.3" })), say: vi.fn() };
const send = vi.fn(() => Promise.resolve(true));
const map = {
  byId: new Map([["0519", { id: "0519" }]]),
  step: (_: unknown, d: number) => (around[d] ? { id: around[d] } : null),
};
const table = { map, match, send } as unknown as Table;

it("sends a group by rail, not on the march, where rail is the way chosen", async () => {
  wir.mode = "march";
  expect(stepOption(table, NORTH)?.action).toBe("step 1");
  wir.mode = "rail";
  await step(table, NORTH);
  expect(send).toHaveBeenCalledWith("railmove 0518");
  expect(stepOption(table, NORTH_EAST)).toBe(undefined);
  await step(table, NORTH_EAST);
  expect(match.ask).toHaveBeenCalledWith("why", { action: "railmove 0618" });
  expect(match.say).toHaveBeenCalledWith("refused", "no rails", "6.3");
  expect(send).toHaveBeenCalledOnce();
});
