import type { LogEntry } from "../../../lib/net/types.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { type WirUnit, wirView } from "../model/types.ts";

/** The step with which a seat ended its orders of the week before, or null in the first week. */
export function endOfLastWeek(log: readonly LogEntry[], seat: string, now: string): number | null {
  const before = log.findLast((e) => e.turn !== now)?.turn;
  return log.findLast((e) => e.seat === seat && e.turn === before)?.ply ?? null;
}

/** What a group was plotted to do, as an order. */
function order(u: WirUnit): string[] {
  if (u.plot) return [`get ${u.id}; plot ${u.plot}; halt`];
  return u.strike ? [`get ${u.id}; ${u.strike.manner} ${u.strike.hex}; halt`] : [];
}

/** Last week's plots and strikes, by group, as orders: they are given from where the groups stand now. */
export async function ordersOfLastWeek(table: Table): Promise<Map<string, string>> {
  const { match } = table;
  const end = endOfLastWeek(match.log.entries, match.seat, match.view?.turn.label ?? "");
  const units = end === null ? [] : (wirView(await match.at(end))?.units ?? []);
  return new Map(units.flatMap((u) => order(u).map((line): [string, string] => [u.id, line])));
}
