import type { BoardView } from "../../lib/api/schema";
import { titled } from "./words.ts";

/** What every game says of a match; it has its place elsewhere on the page. */
const COMMON: Record<keyof BoardView, true> = {
  turn: true,
  behind: true,
  phase: true,
  order: true,
  control: true,
  attacks: true,
  goal: true,
  outcome: true,
  units: true,
  victory: true,
  match: true,
  game: true,
  scenario: true,
  lesson: true,
  title: true,
  version: true,
  seat: true,
  ply: true,
  options: true,
  controllers: true,
  data: true,
  rules_changed: true,
  dice: true,
  decision: true,
  can_undo: true,
  undo_to: true,
  last_events: true,
  tag: true,
  at: true,
  undo_offers: true,
  guide: true,
};

/** A line of the situation: a word, and a value or the lines below it. */
export interface Line {
  word: string;
  value: string;
  below: Line[];
}

const inWords = (value: unknown): string =>
  value === null || value === undefined || value === ""
    ? "–"
    : typeof value === "boolean"
      ? value
        ? "yes"
        : "no"
      : `${value as string | number}`;

function lineOf(word: string, value: unknown): Line {
  if (typeof value !== "object" || value === null) return { word, value: inWords(value), below: [] };
  if (Array.isArray(value) && value.every((v) => typeof v !== "object" || v === null))
    return { word, value: value.map(inWords).join(", ") || "–", below: [] };
  const below = Object.entries(value).map(([name, v]) =>
    lineOf(Array.isArray(value) ? `${+name + 1}` : titled(name), v),
  );
  return { word, value: below.length ? "" : "–", below };
}

/** How victory stands, and what a position holds beyond what every game says, in the words of the game. */
export const linesOf = (view: { victory: object }): Line[] => [
  ...(Object.keys(view.victory).length ? [lineOf(titled("victory"), view.victory)] : []),
  ...Object.entries(view)
    .filter(([name]) => !(name in COMMON))
    .map(([name, value]) => lineOf(titled(name), value)),
];
