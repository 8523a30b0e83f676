import type { Point } from "./types.ts";

export interface Box { width: number; height: number }

/** The course of a match as the outline of an area, from the middle line up for the first side and down for the second. */
export function outline(points: readonly Point[], last: number, box: Box): { line: string; area: string } {
  if (!points.length) return { line: "", area: "" };
  const x = (ply: number): number => (last > 0 ? (ply / last) * box.width : 0);
  const y = (value: number): number => (1 - value) * box.height;
  const round = (n: number): number => Math.round(n * 10) / 10;
  const steps = points.map((p) => `${round(x(p.ply))} ${round(y(p.value))}`);
  const end = round(x(points.at(-1)!.ply));
  return { line: `M${steps.join("L")}`, area: `M0 ${box.height / 2}L${steps.join("L")}L${end} ${box.height / 2}Z` };
}

/** The first ply of every turn, with its name. */
export function turnStarts(points: readonly Point[]): { ply: number; turn: string }[] {
  return points.filter((p, i) => i === 0 || p.turn !== points[i - 1]!.turn).map((p) => ({ ply: p.ply, turn: p.turn }));
}

/** The point that stands at or before a ply. */
export const pointAt = (points: readonly Point[], ply: number): Point | null => points.findLast((p) => p.ply <= ply) ?? points[0] ?? null;

/** "Axis 62 %" for the side that stands better; "even" near the middle. */
export function standing(value: number, sides: readonly [string, string]): string {
  const lead = Math.round(100 * Math.max(value, 1 - value));
  return lead <= 51 ? "even" : `${value >= 0.5 ? sides[0] : sides[1]} ${lead} %`;
}
