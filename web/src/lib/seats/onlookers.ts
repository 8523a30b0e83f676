import type { View } from "../net/types.ts";

/** By how much onlookers see a match later than its players: minutes, or each turn when it is over. */
export type Behind = NonNullable<View["behind"]>;

/** What may be agreed, by what a field calls it. */
export const DELAYS: Record<string, { words: string; behind: Behind | null }> = {
  now: { words: "the game as it stands", behind: null },
  "5": { words: "5 minutes behind", behind: 5 },
  "15": { words: "15 minutes behind", behind: 15 },
  "60": { words: "1 hour behind", behind: 60 },
  turn: { words: "each turn when it is over", behind: "turn" },
};

function minutes(behind: number): string {
  const [number, unit] = behind % 60 ? [behind, "minute"] : [behind / 60, "hour"];
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

/** How late an onlooker sees the match, in short. */
export const late = (behind: Behind): string =>
  behind === "turn" ? "each turn when it is over" : `${minutes(behind)} behind`;

/** The same, for the onlooker. */
export const lookingOn = (behind: Behind): string =>
  behind === "turn" ? `You are looking on, and see ${late(behind)}.` : `You are looking on, ${late(behind)}.`;

/** The same, for the players. */
export const seenByOnlookers = (behind: Behind): string =>
  behind === "turn"
    ? "Onlookers see each turn when it is over."
    : `Onlookers see the game ${minutes(behind)} after you.`;
