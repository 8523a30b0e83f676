import { statusNames } from "./names.ts";

/**
 * What the counters show. Supply is known from the move of a side's own depots on (5.4); and where
 * nearly every group can do something, a ring marks only those that still wait for orders.
 */
export const signs = $state<{ scan: Record<string, string>; rings: boolean }>({ scan: {}, rings: true });

/** What a group's status says now: of supply nothing before the depots of its side move, and in the meantime who waits. */
export function statusOf(status: string | undefined, side: string): { sign: string; words: string; calm: boolean } {
  const scan = signs.scan[side] ?? "after";
  const waits = status === "U" && scan !== "after";
  if (!status || (scan === "before" && (status === "U" || status === "S"))) return { sign: "", words: "", calm: false };
  return { sign: status, words: waits ? "not supplied yet" : (statusNames[status] ?? status), calm: waits };
}
