import type { Table } from "../../lib/state/table/table.svelte.ts";

const ANNOUNCING = ["attack", "build_attack", "breakthrough"];

const kindOf = (table: Table): string =>
  table.match.view?.decision?.mine ? (table.match.view.decision.kind ?? "") : "";
const offers = (table: Table, action: string): boolean =>
  Boolean(table.match.view?.decision?.mine && table.match.view.decision.options.some((o) => o.action === action));

/** Whether a unit can be carried to an enemy: while attacks are announced, each of the side that decides. */
export const canStrike = (table: Table, unit: string): boolean =>
  ANNOUNCING.includes(kindOf(table)) && table.sideOf(unit) === table.match.view?.decision?.side;

/** The attack put together so far is announced when another hex is chosen. */
async function turnTo(table: Table, hex: string): Promise<boolean> {
  const { building } = table.attacks;
  if (!building || building.targets.includes(hex)) return true;
  return offers(table, "ready") && (await table.send("ready"));
}

/** A unit was dropped on an enemy: it attacks there, with Shift together with those stacked with it. */
export async function strike(table: Table, unit: string, hex: string, together: boolean): Promise<boolean> {
  if (!canStrike(table, unit) || table.whereIs(unit) === hex || !(await turnTo(table, hex))) return false;
  if (!table.attacks.building && !(await table.send(`attack ${hex}`))) return true;
  if (!offers(table, `without ${unit}`)) await table.send(`with ${unit}`);
  if (!together) return true;
  const mates = (table.stacks.get(table.whereIs(unit) ?? "") ?? []).map((u) => u.id).filter((id) => id !== unit);
  for (const mate of mates) if (offers(table, `with ${mate}`)) await table.send(`with ${mate}`);
  return true;
}

/** A click with Shift on an enemy: everybody who can attacks there at once. */
export async function attackByAll(table: Table, hex: string): Promise<boolean> {
  if (table.attacks.building?.targets.includes(hex)) return table.send("with all");
  if (!ANNOUNCING.includes(kindOf(table)) || !(await turnTo(table, hex)) || !offers(table, `attack ${hex}`))
    return false;
  return table.send(`attack ${hex}: all`);
}
