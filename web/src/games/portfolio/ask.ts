import type { PortfolioAnswers } from "../../lib/api/schema";
import type { Table } from "../../lib/state/table/table.svelte.ts";

/** A question of this game to the engine. */
export const ask = <K extends keyof PortfolioAnswers>(
  table: Table,
  kind: K,
  args: Record<string, string> = {},
): Promise<PortfolioAnswers[K]> => table.match.query(kind, args) as Promise<PortfolioAnswers[K]>;
