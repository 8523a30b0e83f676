import type { Laid } from "../counters/spread.ts";
import { prefs } from "../state/prefs.svelte.ts";
import type { Table } from "../state/table/table.svelte.ts";

/** How counters are laid now. */
export const laidOf = (table: Table): Laid => ({
  wanted: prefs.value.counterScale,
  size: table.game.counterSize ?? 1.08,
  step: table.game.stackStep,
  figures: !table.match.historical && (prefs.on("strengths") || prefs.on("odds")),
});

/** How far about a fanned stack its counters reach, in half widths of the fan and in height. */
const FAN = { across: 84, beside: 60, high: 130 };

/** Whether a hex lies under the counters of a stack that is fanned out, which must stay legible. */
export function underFan(table: Table, hex: string | null): boolean {
  const units = table.fan ? (table.stacks.get(table.fan)?.length ?? 0) : 0;
  const [fan, at] = [table.fan, hex].map((id) => (id ? table.map.byId.get(id)?.centre : undefined));
  if (units < 2 || !fan || !at) return false;
  const half = ((Math.min(units, 4) - 1) / 2) * FAN.across * prefs.value.counterScale + FAN.beside;
  return Math.abs(at.x - fan.x) < half && Math.abs(at.y - fan.y) < FAN.high;
}
