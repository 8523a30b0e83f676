import type { Table } from "../../../lib/state/table/table.svelte.ts";
import type { Interactions } from "../../types.ts";
import type { WirUnit } from "../model/types.ts";
import { isDestination, click, clickOrders } from "./click.ts";
import { explain } from "./explain.ts";
import { key } from "./keys.ts";
import { take, takeNext } from "./orders.ts";
import { type WirTableState, wirState } from "./tableState.svelte.ts";

/** A depot that is dragged hands out its supplies where it is set down. */
async function supplyFrom(table: Table, wir: WirTableState, hex: string): Promise<boolean> {
  const option = wir.of("depot").find((o) => o.hex === hex);
  return option ? table.send(`${option.action}; supply`) : click(table, hex, null);
}

/** Where a group's orders lead it to the enemy: by its strike, or by its plot. */
const foughtOver = ({ strike, plot_meets }: WirUnit): string[] =>
  [strike?.hex ?? plot_meets].filter((hex) => hex !== undefined);

export const interactions: Interactions = {
  active: (table) => {
    const g = wirState(table).group;
    return g ? [g] : [];
  },
  click,
  isDestination,
  focus: (table) => {
    const wir = wirState(table);
    return wir.kind === "depot" ? (wir.view?.depot?.hex ?? null) : (wir.inHand?.hex ?? null);
  },
  waiting: (table) => {
    const wir = wirState(table);
    return wir.kind === "movement" ? wir.of("get").filter((o) => o.units.some((g) => wir.unit(g)?.waits)).length : 0;
  },
  left: (table) => {
    const wir = wirState(table);
    if (!["orders", "movement"].includes(wir.kind)) return [];
    return (wir.view?.units ?? []).filter((u) => wir.own(u.id) && u.waits).map((u) => u.id);
  },
  combats: (table) => {
    const wir = wirState(table);
    return (wir.view?.units ?? []).filter((u) => wir.own(u.id)).flatMap(foughtOver);
  },
  canDrag: (table, unit) => {
    const wir = wirState(table);
    return (
      wir.own(unit) &&
      (wir.kind === "orders" ||
        (wir.kind === "movement" && wir.of("get").some((o) => o.units.includes(unit))) ||
        (wir.kind === "depot" && unit === wir.group))
    );
  },
  lift: async (table, unit) => {
    await take(table, unit);
  },
  drop: async (table, hex, unit, together) => {
    const wir = wirState(table);
    if (wir.group !== unit && !(await take(table, unit))) return true;
    if (wir.kind === "depot") return supplyFrom(table, wir, hex);
    if (wir.kind !== "orders") return true;
    if (!wir.reach) await wir.load();
    // with Shift the way is plotted, also where a march would lead
    if (together && wir.modes.includes("plot")) wir.choose("plot");
    if (!(await clickOrders(table, wir, hex))) {
      table.select(hex);
      table.hints.hovered = hex;
      await table.hints.explain(hex);
    }
    return true;
  },
  back: (table) => {
    const wir = wirState(table);
    if (wir.kind === "orders" && wir.mode === "rail") {
      wir.choose(wir.modes[0] ?? "march");
      return true;
    }
    return false;
  },
  next: (table, by) => {
    const wir = wirState(table);
    if (!["orders", "movement"].includes(wir.kind)) return false;
    void takeNext(table, by);
    return true;
  },
  explain: (table, hex) => explain(table, hex),
  key,
};
