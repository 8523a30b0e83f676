import type { Goal, GoalPart, LessonInfo } from "../net/types.ts";
import { isTexts, kept, tableOf } from "./storage.ts";

/** Lessons of which this browser has seen the goal reached. */
const KEY = "rasputitsa.lessons";

const all = (): Record<string, string[]> => tableOf(kept(KEY), isTexts);

export const learned = (game: string): Set<string> => new Set(all()[game]);

export function noteLearned(game: string, lesson: string): void {
  const done = learned(game).add(lesson);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [game]: [...done] }));
  } catch {
    /* without storage nothing is ticked off */
  }
}

/** The lesson to offer first: the first one not yet learned, or the first. */
export const toLearn = (lessons: readonly LessonInfo[], done: ReadonlySet<string>): LessonInfo | undefined =>
  lessons.find((l) => !done.has(l.id)) ?? lessons[0];

export const nextLesson = (lessons: readonly LessonInfo[], id: string): LessonInfo | undefined => {
  const here = lessons.findIndex((l) => l.id === id);
  return here < 0 ? undefined : lessons[here + 1];
};

/** The least and the most demanding lessons differ by their length. */
export const difficulty = (l: LessonInfo): string =>
  l.minutes <= 10 ? "first steps" : l.minutes <= 20 ? "easy" : l.minutes <= 25 ? "moderate" : "demanding";

export const met = (part: GoalPart): boolean => part.done >= part.needed;

/** Parts reached, of all there are. */
export const partsMet = (goal: Goal): number => goal.parts.filter(met).length;

/** How far the goal is, in a few words: the figures of a single part, or parts reached. */
export const progress = (goal: Goal): string => {
  const only = goal.parts.length === 1 ? goal.parts[0] : undefined;
  return only ? `${Math.min(only.done, only.needed)} of ${only.needed}` : `${partsMet(goal)} of ${goal.parts.length}`;
};

export const timeLeft = (goal: Goal, turn: number): string => {
  const left = goal.last_turn - turn;
  return left <= 0
    ? "this is the last turn"
    : left === 1
      ? "one more turn after this"
      : `${left} more turns after this`;
};

/** Whose goal it is, for who plays one side: one's own has no name; the enemy's is to be prevented. */
export const goalTitle = (goal: Goal, mine: string, names: Readonly<Record<string, { name: string }>>): string =>
  !mine || mine === goal.side ? "Goal" : `${names[goal.side]?.name ?? goal.side} goal, to be prevented`;

/** How a goal stands, in the bar above the map; whose it is where it is the enemy's. */
export function goalStanding(
  goal: Goal,
  mine: string,
  names: Readonly<Record<string, { name: string }>>,
): { value: string; text: string; title: string } {
  const theirs = mine && mine !== goal.side ? (names[goal.side]?.name ?? goal.side) : "";
  return {
    value: progress(goal),
    text: `${goal.parts.length === 1 ? "for" : "parts of"} the ${theirs ? `${theirs} goal` : "goal"}`,
    title: goal.text,
  };
}

/** The whole goal in one spoken line. */
export const spokenGoal = (goal: Goal, turn: number, title = "Goal"): string => {
  const parts = goal.parts.map((p) => `${p.text}: ${p.done} of ${p.needed}`).join("; ");
  return `${title}: ${goal.text} ${parts}. Last date ${goal.last_date}, ${timeLeft(goal, turn)}.`;
};
