import type { Preview } from "./types.ts";

/** Odds as the manual writes them: "2.4-1". */
export function oddsText(odds: Preview["odds"]): string {
  if (odds === null || odds === undefined) return "?";
  return odds >= 1 || odds <= 0
    ? `${odds >= 10 ? Math.round(odds) : Math.round(odds * 10) / 10}-1`
    : `1-${Math.round(10 / odds) / 10}`;
}
