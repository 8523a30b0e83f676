import type { GameInfo, ScenarioInfo } from "../net/types.ts";

/** The scenarios of a game, the shortest first; one of unknown length last. */
export const byLength = (game: GameInfo): ScenarioInfo[] =>
  game.scenarios.toSorted((a, b) => (a.hours || Infinity) - (b.hours || Infinity));

/** About how long a scenario takes, in words. */
export function length(s: ScenarioInfo): string {
  if (!s.hours) return "";
  if (s.hours >= 10) return `about ${Math.round(s.hours / 5) * 5} hours`;
  const whole = Math.floor(s.hours);
  const part = { 0.25: "¼", 0.5: "½", 0.75: "¾" }[s.hours - whole] ?? "";
  return `about ${whole || !part ? whole : ""}${part} ${s.hours <= 1 ? "hour" : "hours"}`;
}
