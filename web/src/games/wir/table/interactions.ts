import type { Interactions } from "../../types.ts";
import { aims, click, clickOrders } from "./click.ts";
import { explain } from "./explain.ts";
import { key } from "./keys.ts";
import { take, takeNext } from "./orders.ts";
import { wirState } from "./tableState.svelte.ts";

export const interactions: Interactions = {
  active: (table) => {
    const g = wirState(table).group;
    return g ? [g] : [];
  },
  click,
  aims,
  focus: (table) => {
    const wir = wirState(table);
    return wir.kind === "depot" ? (wir.view?.depot?.hex ?? null) : (wir.inHand?.hex ?? null);
  },
  waiting: (table) => {
    const wir = wirState(table);
    return wir.kind === "movement" ? wir.of("get").filter((o) => o.units.some((g) => wir.unit(g)?.waits)).length : 0;
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
  drop: async (table, hex, unit) => {
    const wir = wirState(table);
    if (wir.group !== unit && !(await take(table, unit))) return true;
    if (wir.kind === "depot") return click(table, hex, null);
    if (wir.kind !== "orders") return true;
    if (!wir.reach) await wir.load();
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
      wir.mode = wir.modes[0] ?? "march";
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
