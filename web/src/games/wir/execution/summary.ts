import { spokenEvents } from "../../../lib/state/table/news.svelte.ts";
import type { LogEntry } from "../../../lib/net/types.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { sides } from "../model/names.ts";
import { leadOf, LOSS_KINDS, lossNames, type SideOfWeek } from "./losses.ts";

const COUNTED = [
  ["fight", "assault", "assaults"],
  ["advances", "advance", "advances"],
  ["retreats", "retreat", "retreats"],
  ["surrenders", "surrender", "surrenders"],
  ["raid", "air strike", "air strikes"],
  ["city", "city taken", "cities taken"],
] as const;

/** How often what matters happened in a week, each with its name. */
export const countsOf = (entry: LogEntry): (readonly [name: string, n: number])[] =>
  COUNTED.map(([kind, one, many]) => {
    const n = entry.events.filter((e) => e.kind === kind).length;
    return [n === 1 ? one : many, n] as const;
  }).filter(([, n]) => n > 0);

/** The figures that a side has lost, in words. */
export const figuresOf = ({ loss }: SideOfWeek): string =>
  loss
    ? LOSS_KINDS.filter((k) => loss[k] > 0)
        .map((k) => `${lossNames[k]} ${loss[k]}`)
        .join(", ") || "None in strength, guns or aircraft"
    : "Strength and guns are not reported to you";

/** What an executed week comes to, as its report begins; empty for other entries. */
export function weekInShort(table: Pick<Table, "unitName" | "sideOf" | "map">, entry: LogEntry): string {
  if (!entry.events.some((e) => e.kind === "segment")) return "";
  const counts = countsOf(entry).map(([name, n]) => `${n} ${name}`);
  const lead = leadOf(entry, table.sideOf).map((s) => {
    const named = spokenEvents(table, [...s.gone, ...s.lost]);
    return [`${sides[s.side]?.name ?? s.side} losses: ${figuresOf(s)}.`, ...named].join(" ");
  });
  return [`Report of the week, ${entry.turn}: ${counts.join(", ") || "no fighting"}.`, ...lead].join(" ");
}
