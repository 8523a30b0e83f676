import { beforeEach, expect, it, vi } from "vitest";
import { tip } from "../../src/games/wir/table/tip.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";

const wir = {
  kind: "orders",
  mode: "march",
  modes: ["march", "rail", "strike"],
  reach: { plain: [] } as object | null,
  inHand: { id: "54" },
  fixed: () => ({ type: "air" }),
};
vi.mock("../../src/games/wir/table/tableState.svelte.ts", () => ({ wirState: () => wir }));
const table = {} as Table;

beforeEach(() => Object.assign(wir, { mode: "march", modes: ["march", "rail", "strike"] }));

it("tells an air group on the march who flies strikes, and not that nothing is within range", () => {
  expect(tip(table)).toEqual({
    text: "Choose a lit hex to fly there, or put the group down.",
    sign: "air_missions",
  });
});

it("speaks of rails to an air group that is to go by rail", () => {
  wir.mode = "rail";
  expect(tip(table)).toMatchObject({ sign: "rail_move" });
});

it("asks for no hex where a group can be sent nowhere", () => {
  wir.modes = [];
  expect(tip(table)).toBe("It can be sent nowhere now; put it down.");
});
