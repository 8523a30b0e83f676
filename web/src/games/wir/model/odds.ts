import type { Preview } from "./types.ts";

/** Odds as the manual writes them, "2.4-1", of a figure or a text. */
export function oddsText(odds: Preview["odds"]): string {
  if (odds === null || odds === undefined) return "?";
  if (typeof odds === "string" && !/^[\d.]+$/.test(odds)) return odds;
  const n = Number(odds);
  return n >= 1 || n <= 0 ? `${n >= 10 ? Math.round(n) : Math.round(n * 10) / 10}-1` : `1-${Math.round(10 / n) / 10}`;
}
