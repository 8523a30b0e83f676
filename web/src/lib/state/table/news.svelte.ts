import { figured } from "../../ui/figured.ts";
import { untrack } from "svelte";
import type { GameEvent, LogEntry } from "../../net/types.ts";
import { plainText } from "../marks.ts";
import type { Table } from "./table.svelte.ts";

/** Lines that are read aloud at once; the log has the rest. */
const MOST = 12;

/** What a screen reader reads of events: whole sentences, with names instead of marks. */
export const spokenEvents = (table: Pick<Table, "unitName" | "map">, events: readonly GameEvent[]): string[] =>
  events
    .filter((e) => e.text)
    .map((e) => `${plainText(e.text, table.unitName, (hex, before) => table.map.named(hex, before))}.`);

/** What is read aloud of entries: of one that its game sums up the sum and the battles, and not too much of all. */
export function spokenEntries(
  table: Pick<Table, "unitName" | "sideOf" | "map" | "game">,
  entries: readonly LogEntry[],
): string {
  const { events, inShort } = table.game;
  const lines = entries.flatMap((entry) => {
    const short = inShort?.(table, entry) ?? "";
    const told = short ? entry.events.filter((e) => events.battles.includes(e.kind)) : entry.events;
    const lines = spokenEvents(table, told);
    if (!short) return lines;
    const more = lines.length > MOST ? `${figured(lines.length - MOST, "more is", "more are")} in its report.` : "";
    return [[short, ...lines.slice(0, MOST), more].filter(Boolean).join(" ")];
  });
  const left = lines.length - MOST;
  return [
    ...(left > 0 ? [`${figured(left, "earlier line is", "earlier lines are")} in the log.`] : []),
    ...lines.slice(-MOST),
  ].join(" ");
}

/** What has happened since the page was opened, for those who hear it: once, and not before it is shown. */
export class News {
  text = $state("");
  private heard: number;

  constructor(private readonly table: Table) {
    this.heard = table.match.view?.ply ?? 0;
  }

  /** To be called while a component is set up. */
  follow(): void {
    const { match } = this.table;
    // what was heard already depends on what came before, so it is no value that can be derived
    $effect(() => {
      const { entries } = match.log;
      // steps that are shown one by one are read where they are shown
      const { queued, staged } = match;
      if (!staged) untrack(() => this.hear(entries, queued > 0));
    });
  }

  private hear(entries: readonly LogEntry[], shownAlready: boolean): void {
    const fresh = entries.filter((e) => e.ply >= this.heard);
    if (entries.length) this.heard = entries.at(-1)!.ply + 1;
    const text = shownAlready ? "" : spokenEntries(this.table, fresh);
    if (text) this.text = text;
  }
}
