import { expect, it, vi } from "vitest";
import { Adjusting } from "../../src/games/wir/adjustment/adjusting.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";

const cities = [
  { hex: "1722", population: 5, industry: 0, vehicle: 0, artillery: 1, aircraft: 0 },
  { hex: "2019", population: 9, industry: 3, vehicle: 2, artillery: 0, aircraft: 4 },
  { hex: "2616", population: 30 },
];
vi.mock("../../src/games/wir/table/tableState.svelte.ts", () => ({
  wirState: () => ({
    view: { cities },
    of: (verb: string) => cities.slice(0, verb === "build" ? 1 : 3).map(({ hex }) => ({ verb, hex })),
  }),
}));

it("offers cities in play, the largest first", () => {
  const byId = new Map([
    ["1722", { in_play: true }],
    ["2019", { in_play: true }],
    ["2616", { in_play: false }],
  ]);
  const adjusting = new Adjusting({ map: { byId } } as unknown as Table);
  expect(adjusting.byPopulation("dismantle").map((o) => o.hex)).toEqual(["2019", "1722"]);
  expect([adjusting.cities("build"), adjusting.cities("dismantle")]).toEqual(["1 city", "2 cities"]);
});

it("says what the number at a city counts", () => {
  const adjusting = new Adjusting({ map: { byId: new Map() } } as unknown as Table);
  expect(adjusting.byPopulation("dismantle").map((o) => adjusting.factoriesOf(o))).toEqual([
    "0 factories",
    "9 factories",
    "1 factory",
  ]);
});
