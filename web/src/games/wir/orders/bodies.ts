import type { Table } from "../../../lib/state/table/table.svelte.ts";
import type { WirUnit } from "../model/types.ts";
import type { WirTableState } from "../table/tableState.svelte.ts";

/** Groups that are given orders together. */
export interface Body {
  title: string;
  groups: WirUnit[];
  /** The armies of an army group. */
  parts: Body[];
}

const ELSE = "Others";
const AIR = "Air groups";

/** Everyone, what the map shows, and the army groups or fronts with their armies. */
export function bodiesOf(table: Table, wir: WirTableState): Body[] {
  const own = (wir.view?.units ?? []).filter((u) => u.hex && wir.own(u.id) && wir.fixed(u.id)?.type !== "depot");
  const inView = own.filter((u) => table.viewport.shows(table.map.byId.get(u.hex!)!.centre));
  const body = (title: string, groups: WirUnit[]): Body => ({ title, groups, parts: [] });
  const commands = sorted(own, (u) => (wir.fixed(u.id)?.type === "air" ? AIR : u.command || ELSE)).map(
    ([title, groups]) => ({
      title,
      groups,
      parts: sorted(
        groups.filter((u) => u.army),
        (u) => u.army!,
      ).map(([army, of]) => body(army, of)),
    }),
  );
  return [body("Everyone", own), body("In view", inView), ...commands].filter((b) => b.groups.length);
}

/** Groups by a name, in the order of their numbers; those without one last. */
function sorted(groups: WirUnit[], name: (u: WirUnit) => string): [string, WirUnit[]][] {
  const found = new Map<string, WirUnit[]>();
  for (const u of groups) found.set(name(u), [...(found.get(name(u)) ?? []), u]);
  const last = (title: string): number => (title === ELSE ? 2 : title === AIR ? 1 : 0);
  return [...found].sort(([a], [b]) => last(a) - last(b) || a.localeCompare(b, "en", { numeric: true }));
}

export const free = (body: Body): WirUnit[] => body.groups.filter((u) => u.waits);
export const ordered = (body: Body): WirUnit[] => body.groups.filter((u) => u.plot || u.strike);
