import { beforeEach, expect, it, vi } from "vitest";
import { explain } from "../../src/games/wir/table/explain.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";

const WORN = { text: "worn out there", rule: "8.1" };
const wir = {
  kind: "orders",
  mode: "march",
  group: "1",
  inHand: { id: "1", hex: "1922" },
  enemiesIn: () => [],
  lit: new Map([
    ["1921", { cost: 1 }],
    ["1920", { cost: 2 }],
  ]),
  reach: {
    plain: [
      { hex: "1921", cost: 1, fatigue: 20, worn_out: false },
      { hex: "1920", cost: 2, fatigue: 40, worn_out: true },
    ],
    wears_out: WORN,
  },
  view: { turn: { weather: "rain", weather_title: "Rain" } },
};
vi.mock("../../src/games/wir/table/tableState.svelte.ts", () => ({ wirState: () => wir }));
const table = { hints: {}, match: { query: () => Promise.resolve({ hexes: [] }) } } as unknown as Table;

beforeEach(() => Object.assign(wir.view.turn, { weather: "rain", weather_title: "Rain" }));

it("names the weather that makes a march tiring, and only such weather", async () => {
  expect(await explain(table, "1921")).toMatchObject({ text: "march 1 hex, fatigue +20 (rain)", rule: "6.2" });
  Object.assign(wir.view.turn, { weather: "clear", weather_title: "Clear" });
  expect((await explain(table, "1921"))?.text).toBe("march 1 hex, fatigue +20");
});

it("says where a march wears the group out, by the engine's words and paragraph", async () => {
  expect(await explain(table, "1920")).toMatchObject({
    text: "march 2 hexes, fatigue +40 (rain), worn out there",
    rule: "8.1",
    tone: "plain",
  });
});
