import type { Point } from "../map/geometry.ts";
import type { HintResult, Step } from "./types.ts";

export interface Drawn {
  step: Step;
  kind: string;
  paths: string[];
  rings: Point[];
  pill: { at: Point; text: string } | null;
}

/** A plan as it is read out; its reasons are whole sentences. */
export const spoken = ({ headline, reasons, label }: HintResult): string =>
  [`${headline}.`, ...reasons, `${label}.`].join(" ");

type Centre = (hex: string) => Point | null;

/** Shortens a line of points at both ends, so that arrows begin and end next to the counters. */
export function shaft(points: Point[], start: number, end: number): string {
  if (points.length < 2) return "";
  const cut = (a: Point, b: Point, by: number): Point => {
    const d = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const along = Math.min(by, d / 2.4);
    return { x: a.x + ((b.x - a.x) * along) / d, y: a.y + ((b.y - a.y) * along) / d };
  };
  const way = [cut(points[0]!, points[1]!, start), ...points.slice(1, -1), cut(points.at(-1)!, points.at(-2)!, end)];
  return `M${way.map((p) => `${Math.round(p.x)} ${Math.round(p.y)}`).join("L")}`;
}

/** What the map shows of a plan: arrows, rings, and the odds of each attack. */
export function draw(steps: readonly Step[], centre: Centre): Drawn[] {
  const at = (hexes: string[]): Point[] => hexes.map(centre).filter((p): p is Point => p !== null);
  return steps.map((step) => {
    const found: Drawn = { step, kind: step.kind, paths: [], rings: [], pill: null };
    if (step.kind === "attack") {
      const targets = at(step.targets);
      const first = targets[0];
      if (!first) return found;
      found.paths = at(step.origins).map((s) => {
        const to = targets.reduce(
          (best, t) => (Math.hypot(t.x - s.x, t.y - s.y) < Math.hypot(best.x - s.x, best.y - s.y) ? t : best),
          first,
        );
        return shaft([s, to], 24, 36);
      });
      found.rings = targets;
      if (step.odds)
        found.pill = {
          at: {
            x: targets.reduce((sum, t) => sum + t.x, 0) / targets.length,
            y: Math.min(...targets.map((t) => t.y)) - 56,
          },
          text: step.short_odds || step.odds,
        };
      return found;
    }
    const points = at(step.path);
    if (step.kind === "mark" || points.length < 2) found.rings = points;
    else found.paths = [shaft(points, 20, 22)];
    return found;
  });
}
