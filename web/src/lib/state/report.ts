import type { EventKinds } from "./eventKinds.ts";
import type { LogEntry } from "../net/types.ts";

interface ReportLine {
  text: string;
  die: number | null;
}
export interface Report {
  ply: number;
  lines: ReportLine[];
}

const LONGEST = 7;

/** The last roll of the dice and all that came of it, until the game has moved on to another phase. */
export function battleReport(entries: readonly LogEntry[], kinds: EventKinds): Report | null {
  const lines: ReportLine[] = [];
  for (let i = entries.length - 1; i >= 0 && entries.length - i < 40; i -= 1) {
    for (const event of entries[i]!.events.toReversed()) {
      if (kinds.time.includes(event.kind)) return null;
      const die = "die" in event.data ? event.data.die : null;
      if (event.text && !kinds.omitted.includes(event.kind)) lines.unshift({ text: event.text, die: die });
      if (kinds.rolls.includes(event.kind))
        return {
          ply: entries[i]!.ply,
          lines: lines.length > LONGEST ? [lines[0]!, ...lines.slice(1 - LONGEST)] : lines,
        };
    }
  }
  return null;
}
