import type { Preview } from "./types.ts";

/** Odds as the log writes them: "2.35-1", or "1-3.2" below even. */
export function oddsText(odds: Preview["odds"]): string {
  if (odds === null || odds === undefined) return "?";
  if (odds >= 1) return `${Number(odds.toFixed(odds < 10 ? 2 : 1))}-1`;
  return `1-${Number((1 / Math.max(0.01, odds)).toPrecision(3))}`;
}
