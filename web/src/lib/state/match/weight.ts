import type { LogEntry } from "../../net/types.ts";

/** Kinds of events that one wants to look at for longer, and those that mark the passing of time. */
const GRAVE = new Set(["combat", "result", "weather_die", "roulette", "victory_count", "eliminated", "lost_isolated"]);
const TIME = new Set(["phase", "turn", "turn_end"]);

/** Whether a step has something to show; if so wished, only what one looks at for longer. */
export const worthShowing = (entry: LogEntry, onlyBattles: boolean): boolean =>
  entry.events.some((e) => e.text && (!onlyBattles || GRAVE.has(e.kind)));

/** How long a step stays, beside others. */
export const weightOf = (kinds: string[]): number =>
  kinds.some((k) => GRAVE.has(k)) ? 1.8 : kinds.some((k) => TIME.has(k)) ? 1.3 : 1;
