import type { Course, Point, TurningPoint } from "./types.ts";

export interface Box {
  width: number;
  height: number;
}
/** The part of the scale from 0 to 1 that a chart shows. */
export interface Range {
  low: number;
  high: number;
}

const WHOLE: Range = { low: 0, high: 1 };
const MARGIN = 0.1;

/** The whole scale; or, where one side leads by far all the time, the part in which the game moves. */
export function rangeOf(points: readonly Point[]): Range {
  const values = points.map((p) => p.value);
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (points.length < 2 || high - low > 0.3 || (low - MARGIN < 0.5 && high + MARGIN > 0.5)) return WHOLE;
  const pad = Math.max(0.01, (high - low) * 0.2);
  return { low: Math.max(0, low - pad), high: Math.min(1, high + pad) };
}

/** How far down the chart a value lies. */
export const heightOf = (value: number, range: Range, height: number): number =>
  Math.max(0, Math.min(height, (1 - (value - range.low) / (range.high - range.low)) * height));

/** The course of a match as the outline of an area, from the middle line up for the first side and down for the second. */
export function outline(
  points: readonly Point[],
  last: number,
  box: Box,
  range: Range = WHOLE,
): { line: string; area: string } {
  if (!points.length) return { line: "", area: "" };
  const round = (n: number): number => Math.round(n * 10) / 10;
  const x = (ply: number): number => round(last > 0 ? (ply / last) * box.width : 0);
  const middle = heightOf(0.5, range, box.height);
  const steps = points.map((p) => `${x(p.ply)} ${round(heightOf(p.value, range, box.height))}`);
  return {
    line: `M${steps.join("L")}`,
    area: `M${x(points[0]!.ply)} ${middle}L${steps.join("L")}L${x(points.at(-1)!.ply)} ${middle}Z`,
  };
}

/** The first ply of every turn, with its name. */
export function turnStarts(points: readonly Point[]): { ply: number; turn: string }[] {
  return points.filter((p, i) => i === 0 || p.turn !== points[i - 1]!.turn).map((p) => ({ ply: p.ply, turn: p.turn }));
}

/** The point that stands at or before a ply. */
export const pointAt = (points: readonly Point[], ply: number): Point | null =>
  points.findLast((p) => p.ply <= ply) ?? points[0] ?? null;

/** The names of the side that a value of 1 speaks for, and of the other. */
export interface Names {
  first: string;
  second: string;
}

/** "Red 62 %" for the side that stands better; "even" near the middle. */
export function standing(value: number, names: Names): string {
  const lead = Math.round(100 * Math.max(value, 1 - value));
  return lead <= 51 ? "even" : `${value >= 0.5 ? names.first : names.second} ${lead} %`;
}

/** What a point of the course says. That of a lesson is its goal, part by part, which is no chance and has no figure. */
export const reading = (value: number, names: Names, lesson: boolean): string =>
  lesson ? "How far the goal was reached" : standing(value, names);

/** How much better off its side was after a turning point; values count for the first side. */
export const gainOf = (turn: TurningPoint, first: string | undefined): number =>
  (turn.side === first ? 1 : -1) * (turn.after - turn.before);

/** What a turning point changed for its side, in points; in a lesson, for the goal, which has no figure. */
export function changeOf(turn: TurningPoint, first: string | undefined, goal: string | undefined): string {
  const own = gainOf(turn, first);
  if (goal === undefined) return `${own >= 0 ? "+" : "−"}${Math.abs(100 * own).toFixed(Math.abs(own) < 0.03 ? 1 : 0)}`;
  if (own === 0) return "goal no nearer";
  return own > 0 === (turn.side === goal) ? "goal nearer" : "goal farther";
}

/** The turning point of a side after which it was worst off; none where the side has none. */
export const worstOf = (course: Course, side: string): TurningPoint | undefined =>
  course.turns
    .filter((t) => t.side === side)
    .toSorted((a, b) => gainOf(a, course.sides[0]) - gainOf(b, course.sides[0]))[0];
