import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { answerTouch } from "../adjustment/touched.ts";
import { directionTo, extendPlot, plotTo } from "../model/plots.ts";
import { explainRefusal, march, noWay, ownGroups, setPlot, take } from "./orders.ts";
import { type WirTableState, wirState } from "./tableState.svelte.ts";

export async function clickOrders(table: Table, wir: WirTableState, hex: string): Promise<boolean> {
  const here = wir.inHand?.hex;
  if (!here) return false;
  const enemy = wir.enemiesIn(hex).length > 0;
  if (wir.fixed(wir.group!)?.type === "air" && (wir.mode === "strike" || enemy)) {
    const ways = ["ground", "bomb"].flatMap((v) => wir.of(v).filter((o) => o.hex === hex));
    if (ways.length > 1) table.chooser = { hex, options: ways };
    if (ways.length) return ways.length === 1 ? table.send(ways[0]!.action) : true;
  }
  if (wir.mode === "plot" || enemy) {
    const occupied = new Set([...table.stacks.keys()].filter((h) => wir.enemiesIn(h).length));
    const near = extendPlot(table.map, here, wir.plot, hex, wir.plots);
    const plot = near ?? plotTo(table.map, here, hex, wir.plots, occupied);
    if (plot) {
      wir.choose("plot");
      return setPlot(table, plot);
    }
  }
  if (wir.mode === "rail") {
    const option = wir.of("railmove").find((o) => o.hex === hex);
    if (option) return table.send(option.action);
  }
  if (wir.lit.has(hex) && wir.mode === "march") return march(table, wir, hex);
  return false;
}

/** The order that a click on a hex is an attempt at, for a "why not". */
export function attempt(table: Table, wir: WirTableState, hex: string): string | null {
  if (wir.mode === "rail") return `railmove ${hex}`;
  if (wir.mode === "strike") return `ground ${hex}`;
  const d = wir.inHand?.hex ? directionTo(table.map, wir.inHand.hex, hex) : 0;
  return d ? `${wir.mode === "plot" || wir.enemiesIn(hex).length ? "plot" : "step"} ${d}` : null;
}

/** A hex that the group in hand can be sent to as it is to go: lit, the next of its plot, or an adjacent enemy's. */
export function isDestination(table: Table, hex: string): boolean {
  const wir = wirState(table);
  const here = wir.inHand?.hex;
  if (wir.kind !== "orders" || !here || hex === here) return false;
  if (wir.lit.has(hex)) return true;
  return table.map.direction(here, hex) >= 0 && (wir.mode === "plot" || wir.enemiesIn(hex).length > 0);
}

export async function click(table: Table, hex: string, unit: string | null): Promise<boolean> {
  const wir = wirState(table);
  if (wir.kind === "depot") {
    const option = wir.of("depot").find((o) => o.hex === hex);
    table.select(hex);
    if (option) return table.send(option.action);
    await table.hints.touchedInVain(hex);
    return true;
  }
  if (wir.kind === "adjust" || !["orders", "movement"].includes(wir.kind)) {
    table.select(hex);
    if (wir.kind === "adjust") await answerTouch(table, wir, hex);
    return wir.kind === "adjust" || wir.kind === "";
  }
  // while a plot is pointed out, another group of one's own is taken up, not plotted upon; a drag still does that
  const another = wir.mode === "plot" && ownGroups(table, wir, hex).some((g) => g !== wir.group);
  if (wir.kind === "orders" && unit !== wir.group && !another && (await clickOrders(table, wir, hex))) {
    table.cursor = hex;
    return true;
  }
  table.select(hex);
  const own = ownGroups(table, wir, hex);
  if (unit && wir.own(unit) && unit !== wir.group) await take(table, unit);
  else if (own.length && !own.includes(wir.group ?? "")) await take(table, own[0]!);
  else if (own.length > 1 && !unit)
    await take(
      table,
      own.find((g) => g !== wir.group)!,
    );
  else if (wir.kind === "orders" && hex !== wir.inHand?.hex) {
    const action = attempt(table, wir, hex);
    const far = action ? null : await noWay(table, wir, hex);
    // the note at the pointer says the same
    if (action || far) table.hints.clear(false);
    if (action) await explainRefusal(table, action);
    else if (far) table.match.say("refused", far.reason, far.rule);
  } else if (wir.kind === "movement") await table.hints.touchedInVain(hex);
  return true;
}
