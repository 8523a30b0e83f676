import type { View } from "../../../lib/net/types.ts";
import type { WirView } from "./types.ts";

interface Score {
  sides: Record<string, Record<string, number>>;
  total: number | null;
  level: string;
}

/** The score as the server counts it. */
export function tally(view: View | WirView | null): Score {
  const { axis = {}, soviet = {}, difference, level } = view?.victory ?? {};
  return { sides: { axis, soviet }, total: difference ?? null, level: level ?? "" };
}

/** What the score comes to, and what has changed: at the start of a campaign the level itself says nothing. */
export function inContext({ total, level }: Score, start: number | null): string {
  if (total === null) return "";
  const { value, text } = sinceTheStart(total, start);
  return `points, Soviet less Axis. If the war ended today: ${level}.${value ? ` ${value} ${text}.` : ""}`;
}

/** What has changed since the campaign began: early in the war the score itself says little. */
export function sinceTheStart(now: number | null, start: number | null): { value: string; text: string } {
  if (now === null || start === null) return { value: "", text: "" };
  const gained = now - start;
  return gained === 0
    ? { value: "±0", text: "points since the start" }
    : { value: `+${Math.abs(gained)}`, text: `for the ${gained > 0 ? "Soviets" : "Axis"} since the start` };
}
