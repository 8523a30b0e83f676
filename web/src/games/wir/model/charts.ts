import type { MapModel } from "../../../lib/map/model.ts";
import type { StaticGame } from "../../../lib/net/types.ts";
import type { WirCharts, WirTurn } from "./types.ts";

/** Tables of the rules as the engine sends them. */
export const chartsOf = (from: MapModel | StaticGame): WirCharts =>
  ownCharts(("source" in from ? from.source : from).charts);

/** The charts of this game among those of any. */
export function ownCharts(charts: StaticGame["charts"]): WirCharts {
  if ("plots" in charts) return charts;
  throw new TypeError("charts of another game");
}

/** What the values of a city, the pools and other words of the tables are called; a word without a title stands for itself. */
export const titleOf = (from: MapModel | StaticGame, of: keyof WirCharts["titles"], word: string): string =>
  chartsOf(from).titles[of][word] ?? word;

/** The paragraph of an order. */
export const ruleOf = (from: MapModel | StaticGame, verb: string): string | null =>
  ("source" in from ? from.source : from).verbs[verb]?.rule || null;

export const turnOf = (map: MapModel, number: number): WirTurn | undefined =>
  chartsOf(map).turns.find((t) => t.number === number);

/** "June 1941", of "1941-06". */
export const monthName = (month: string): string =>
  new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-01`));
