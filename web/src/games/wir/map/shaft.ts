import type { Point } from "../../../lib/map/geometry.ts";

/** A line of points as a path, shortened at both ends. */
export function shaft(points: Point[], start: number, end: number): string {
  if (points.length < 2) return "";
  const cut = (a: Point, b: Point, by: number): Point => {
    const d = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    return { x: a.x + ((b.x - a.x) * by) / d, y: a.y + ((b.y - a.y) * by) / d };
  };
  const way = [cut(points[0]!, points[1]!, start), ...points.slice(1, -1), cut(points.at(-1)!, points.at(-2)!, end)];
  return `M${way.map((p) => `${p.x} ${p.y}`).join("L")}`;
}
