import type { PortfolioAnswers } from "../../lib/api/schema";
import type { DecisionOption } from "../../lib/net/types.ts";
import type { Table } from "../../lib/state/table/table.svelte.ts";

/** A question of this game to the engine. */
export const ask = <K extends keyof PortfolioAnswers>(
  table: Table,
  kind: K,
  args: Record<string, string> = {},
): Promise<PortfolioAnswers[K]> => table.match.query<"portfolio", K>(kind, args);

/** What an attack by these units would come to. */
export const oddsOfAttack = (
  table: Table,
  targets: readonly string[],
  units: readonly string[],
): Promise<PortfolioAnswers["odds"]> => ask(table, "odds", { targets: targets.join(","), units: units.join(",") });

/** The odds of an attack by everybody who can join it, where one can be planned. */
export async function oddsOfAll(table: Table, option: DecisionOption): Promise<string | null> {
  if (option.verb !== "attack" || !option.hex) return null;
  const odds = await ask(table, "odds", { targets: option.hex, units: "all" }).catch(() => null);
  if (!odds) return null;
  const { units, attack, defence, final } = odds;
  const who = units.length === 1 ? table.unitName(units[0] ?? "") : `all ${units.length} adjacent units`;
  return odds.legal
    ? `Attack here: ${final} with ${who} (${attack} against ${defence})`
    : `With ${who} (${attack} against ${defence}): ${odds.reason}`;
}
