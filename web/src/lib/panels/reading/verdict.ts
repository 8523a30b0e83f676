import type { Goal, View } from "../../net/types.ts";

type Outcome = NonNullable<View["outcome"]>;

/** The level of a victory that a goal has decided. */
const BY_GOAL = "goal";

/** Whether the goal decided the game, and not people at the table or another rule. */
export const byGoal = (outcome: Outcome): boolean => outcome.level === BY_GOAL;

/** Who won, for a game that no goal has decided. */
export const winnerWords = (outcome: Outcome, nameOf: (side: string) => string): string =>
  outcome.winner ? `${nameOf(outcome.winner)} victory` : "A draw";

/** How a game with a goal ended, from where a side sits. */
export function verdict(outcome: Outcome, goal: Goal, mine: string, nameOf: (side: string) => string): string {
  if (!byGoal(outcome)) return winnerWords(outcome, nameOf);
  const won = outcome.winner === mine;
  if (goal.side === mine) return won ? "Goal reached" : "Not reached this time";
  return won ? "The enemy was kept from the goal" : "The enemy reached the goal";
}
