/** What the server says of this game, by the names the client uses: generated types. */

import type {
  WirAnswers,
  WirCity,
  WirGroup,
  WirGroupUnit,
  WirObservation,
  WirOdds,
  WirOddsItem,
} from "../../../lib/api/schema";
import type { Piece, View, ViewUnit } from "../../../lib/net/types.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";

export type {
  WirCharts,
  WirDepotReach as DepotReach,
  WirOddsEstimate as Estimate,
  WirOutlook as Outlook,
  WirPlotEntry as PlotEntry,
  WirReach as Reach,
  WirRoute as Route,
  WirStrike as Strike,
  WirStrikes as Strikes,
  WirTurnBox as WirTurn,
} from "../../../lib/api/schema";
export type GroupUnit = WirGroupUnit;
export type City = WirCity;
export type Preview = WirOdds;
export type Item = WirOddsItem;
/** A group; of hidden ones only the piece is known. */
export type WirUnit = Piece & Partial<WirGroup>;
/** A position; one that is made up to be shown may lack what this game adds. */
export type WirView = Omit<View, "units" | "victory"> &
  Partial<Omit<WirObservation, keyof View>> & { units: WirUnit[]; victory: Partial<WirObservation["victory"]> };

export const VALUES = ["population", "industry", "vehicle", "artillery", "aircraft", "supply"] as const;

export const wirView = (view: View | null): WirView | null => view;
export const wirUnit = (unit: Partial<ViewUnit>): Partial<WirUnit> => unit;

/** A question of this game to the engine. */
export const ask = <K extends keyof WirAnswers>(
  table: Table,
  kind: K,
  args: Record<string, string> = {},
): Promise<WirAnswers[K]> => table.match.query<"wir", K>(kind, args);
