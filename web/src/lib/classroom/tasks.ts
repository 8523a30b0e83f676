import type { GameInfo } from "../net/types.ts";
import type { Task } from "./calls.ts";

/** Something that fits into lessons: for two at a board, or for one. */
export interface Choice {
  id: string;
  title: string;
  about: string;
  minutes: number;
  task: Omit<Task, "hints">;
}

/** What takes longer is no lesson, not even two of them. */
const MOST_HOURS = 2;

/** Evenings and lessons of a game, the shortest first. */
export function choicesOf(game: GameInfo): { boards: Choice[]; alone: Choice[] } {
  const evenings = game.scenarios.filter((s) => s.hours > 0 && s.hours <= MOST_HOURS);
  const boards = evenings.map((s) => ({
    id: `${game.id} scenario ${s.id}`,
    title: s.title,
    about: s.summary,
    minutes: Math.round(s.hours * 60),
    task: { game: game.id, scenario: s.id, players: 2 as const },
  }));
  const alone = game.lessons.map((l) => ({
    id: `${game.id} lesson ${l.id}`,
    title: l.title,
    about: l.summary,
    minutes: l.minutes,
    task: { game: game.id, lesson: l.id, players: 2 as const },
  }));
  const short = (list: Choice[]): Choice[] => list.toSorted((a, b) => a.minutes - b.minutes);
  return { boards: short(boards), alone: short(alone) };
}

/** How many boards a class needs. */
export const boardsFor = (pupils: number, seats: number): number => Math.max(1, Math.ceil(pupils / seats));
