import type { MapModel } from "../../../lib/map/model.ts";
import type { StaticGame } from "../../../lib/net/types.ts";
import type { PlotEntry } from "./plots.ts";

/** A turn, and how likely each kind of weather is in it, in percent. */
export interface WirTurn {
  number: number;
  date: string;
  /** As 1941-06. */
  month: string;
  chances: Record<string, number>;
}
export interface UnitKind {
  id: string;
  title: string;
  side: string;
  infantry: number;
  vehicle: number;
  strength: Record<string, number>;
  experience: Record<string, number>;
}
export interface Coming {
  month: string;
  side: string;
  text: string;
  rule: string;
  levels: number[];
}
/** Tables of the rules as the engine sends them. */
export interface WirCharts {
  turns: WirTurn[];
  types: UnitKind[];
  pools: Record<string, number>;
  relief: number[];
  agenda: Coming[];
  directions: string[];
  plots: Record<string, PlotEntry>;
  supply: { radius: number; penalty_hexes: number };
  suppose: { strength: number; experience: number; works: number };
  victory_levels: [number, string][];
}

export const chartsOf = (from: MapModel | StaticGame): WirCharts =>
  ("source" in from ? from.source : from).charts as unknown as WirCharts;

export const turnOf = (map: MapModel, number: number): WirTurn | undefined =>
  chartsOf(map).turns.find((t) => t.number === number);

/** "June 1941", of "1941-06". */
export const monthName = (month: string): string =>
  new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-01`));
