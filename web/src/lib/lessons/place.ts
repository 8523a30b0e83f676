import type { Table } from "../state/table/table.svelte.ts";

/** Where the present step of a lesson leads: to its last hex, or to its first unit. */
export function placeOfStep(table: Table): string | null {
  const guide = table.match.view?.guide;
  if (!guide?.text) return null;
  const [unit] = guide.units;
  return guide.hexes.at(-1) ?? (unit ? table.whereIs(unit) : null);
}
