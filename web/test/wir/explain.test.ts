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
  of: () => [],
  sight: () => Promise.resolve({ outlook: { distance: 2, escorted: true, interceptors: ["116"], overcast: 40 } }),
  view: { turn: { weather: "rain", weather_title: "Rain" } },
};
vi.mock("../../src/games/wir/table/tableState.svelte.ts", () => ({ wirState: () => wir }));
const table = {
  hints: {},
  map: { source: { verbs: { step: { args: ["number"], title: "March", rule: "6.2" } } } },
  match: { query: () => Promise.resolve({ hexes: [] }) },
} as unknown as Table;

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

it("says how likely clouds hide what is to be struck, and in which weather", async () => {
  Object.assign(wir, { mode: "strike", enemiesIn: () => ["76"] });
  const strike = "ground attack: 2 hexes, with escort, 116 may intercept";
  expect((await explain(table, "1921"))?.text).toBe(`${strike}, 40 % that clouds hide it (rain)`);
  Object.assign(wir.view.turn, { weather: "clear", weather_title: "Clear" });
  wir.sight = () => Promise.resolve({ outlook: { distance: 2, escorted: true, interceptors: ["116"], overcast: 0 } });
  expect((await explain(table, "1921"))?.text).toBe(strike);
});
