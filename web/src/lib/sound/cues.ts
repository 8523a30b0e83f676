import type { EventKinds } from "../state/eventKinds.ts";
import type { GameEvent, LogEntry } from "../net/types.ts";

export type Cue = "dice" | "orders" | "turn";

export interface Wish {
  /** From 0, which is off, to 100. */
  volume: number;
  /** "Your turn" is heard although nobody sees the page. */
  turnUnseen: boolean;
}

/** Whether something is to be heard: nothing unless it is wished, and of a page that nobody sees no more than the turn. */
export const heard = (cue: Cue, { volume, turnUnseen }: Wish, unseen: boolean): boolean =>
  volume > 0 && (!unseen || (cue === "turn" && turnUnseen));

/** What new entries of the log sound like: dice before all else, and orders of one's own. */
export function cueOf(fresh: readonly LogEntry[], seat: string, kinds: EventKinds): Cue | null {
  const rolled = (v: GameEvent): boolean => "die" in v.data || kinds.battles.includes(v.kind);
  if (fresh.some((e) => e.events.some(rolled))) return "dice";
  return seat && fresh.some((e) => e.seat === seat) ? "orders" : null;
}
