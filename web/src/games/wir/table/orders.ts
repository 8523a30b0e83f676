import type { DecisionOption } from "../../../lib/net/types.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { directionTo, longerPlot, stepFrom } from "../model/plots.ts";
import { ask } from "../model/types.ts";
import { type WirTableState, wirState } from "./tableState.svelte.ts";

export interface Refusal {
  reason: string;
  rule: string | null;
}

/** Puts the piece in hand down, if one is, and takes up another. */
export async function take(table: Table, group: string): Promise<boolean> {
  const wir = wirState(table);
  if (wir.group === group) return true;
  if (wir.kind === "orders" && !(await table.send("halt"))) return false;
  const option = wir.of("get").find((o) => o.units.includes(group));
  if (!option) {
    if (wir.kind === "movement") await explainRefusal(table, `get ${group}`);
    return false;
  }
  const hex = table.whereIs(group);
  if (hex) table.select(hex);
  return table.send(option.action);
}

export async function explainRefusal(table: Table, action: string): Promise<void> {
  const why = await table.match.ask("why", { action }).catch(() => null);
  if (why && !why.legal && why.reason) table.match.say("refused", why.reason, why.rule ?? null);
}

/** Groups of one's own in a hex that can be taken up. */
export function ownGroups(table: Table, wir: WirTableState, hex: string): string[] {
  const can = new Set(wir.of("get").flatMap((o) => o.units));
  return (table.stacks.get(hex) ?? [])
    .map((u) => u.id)
    .filter((id) => wir.own(id) && (wir.kind === "orders" || can.has(id)));
}

/** The next group with a number above that of the present one. */
export async function takeNext(table: Table, by: number): Promise<void> {
  const wir = wirState(table);
  const from = Number(wir.group ?? 0);
  if (wir.kind === "orders" && !(await table.send("halt"))) return;
  const numbers = wir
    .of("get")
    .flatMap((o) => o.units)
    .map(Number)
    .sort((a, b) => a - b);
  const waiting = numbers.filter((n) => wir.unit(String(n))?.waits);
  const list = waiting.length ? waiting : numbers;
  const next = by > 0 ? (list.find((n) => n > from) ?? list[0]) : (list.findLast((n) => n < from) ?? list.at(-1));
  if (next === undefined) return;
  const hex = table.whereIs(String(next));
  if (hex) table.camera.look(hex);
  await take(table, String(next));
  table.say(hex ? table.tellHex(hex) : String(next));
}

export async function setPlot(table: Table, plot: string): Promise<boolean> {
  const option = wirState(table).plots.get(plot);
  return option ? table.send(option.action) : false;
}

const ENDINGS = { stop: "S", bombard: "B" } as const;

/** Ends the plot by S or B, or takes the ending off again. */
export async function endPlot(table: Table, ending: keyof typeof ENDINGS): Promise<boolean> {
  const wir = wirState(table);
  const { entry } = wir;
  if (!entry) return false;
  const next = entry[ending];
  if (wir.plots.has(next)) return setPlot(table, next);
  await explainRefusal(table, `plot ${next || `${entry.steps.join("")}${ENDINGS[ending]}`}`);
  return true;
}

/** The order that sends the piece in hand one hex on, by rail where that is the way chosen. */
export function stepOption(table: Table, direction: number): DecisionOption | undefined {
  const wir = wirState(table);
  if (wir.kind !== "orders" || wir.mode !== "rail") return wir.of("step").find((o) => o.number === direction);
  const next = wir.inHand?.hex && stepFrom(table.map, wir.inHand.hex, direction);
  return next ? wir.of("railmove").find((o) => o.hex === next) : undefined;
}

export async function step(table: Table, direction: number): Promise<boolean> {
  const wir = wirState(table);
  if (wir.kind === "orders" && wir.mode === "plot" && wir.inHand?.hex) {
    const { map } = table;
    const plot = longerPlot(map, wir.plot, direction, wir.plots) ?? longerPlot(map, "", direction, wir.plots);
    return plot !== null && setPlot(table, plot);
  }
  const option = stepOption(table, direction);
  if (option) return table.send(option.action);
  const next = wir.mode === "rail" && wir.inHand?.hex && stepFrom(table.map, wir.inHand.hex, direction);
  if (next) {
    await explainRefusal(table, `railmove ${next}`);
    return true;
  }
  if (wir.kind === "orders" || wir.kind === "depot") {
    await explainRefusal(table, `step ${direction}`);
    return true;
  }
  return false;
}

/** A way on foot: along the route the engine gives. */
export async function march(table: Table, wir: WirTableState, hex: string): Promise<boolean> {
  const here = wir.inHand?.hex;
  if (!here || !wir.group) return false;
  const d = directionTo(table.map, here, hex);
  const single = wir.of("step").find((o) => o.number === d);
  if (d && single) return table.send(single.action);
  const route = await ask(table, "route", { unit: wir.group, to: hex }).catch(() => null);
  return route?.line ? table.send(route.line) : false;
}

/** Why no march, or no plot, leads to a hex farther off, as the engine says. */
export async function noWay(table: Table, wir: WirTableState, hex: string): Promise<Refusal | null> {
  const asked = wir.mode === "march" ? "route" : wir.mode === "plot" ? "plots" : null;
  if (!asked || !wir.group || wir.lit.has(hex) || wir.inHand?.hex === hex) return null;
  const answer = await ask(table, asked, { unit: wir.group, to: hex }).catch(() => null);
  return answer?.reason ? { reason: answer.reason, rule: answer.rule ?? null } : null;
}
