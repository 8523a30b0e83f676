import type { EventKinds } from "../eventKinds.ts";
import type { LogEntry } from "../../net/types.ts";

/** Whether a step has something to show; if so wished, only what one looks at for longer. */
export const worthShowing = (entry: LogEntry, kinds: EventKinds, onlyBattles: boolean): boolean =>
  entry.events.some((e) => e.text && (!onlyBattles || kinds.highlights.includes(e.kind)));

/** How long a step stays, compared with others. */
export const weightOf = (entry: LogEntry, kinds: EventKinds): number => {
  const happened = entry.events.map((e) => e.kind);
  if (happened.some((k) => kinds.highlights.includes(k))) return 1.8;
  return happened.some((k) => kinds.time.includes(k)) ? 1.3 : 1;
};
