import type { Point } from "../map/geometry.ts";

/** Where the i-th of n counters of a hex lies, relative to the centre: stepped at rest, side by side when fanned. */
export function spread(i: number, n: number, fanned: boolean, size = 1, apart?: { x: number; y: number }): Point {
  if (fanned) {
    const perRow = n <= 3 ? n : Math.ceil(n / 2);
    const row = Math.floor(i / perRow);
    const inRow = row === 0 ? perRow : n - perRow;
    return { x: ((i % perRow) - (inRow - 1) / 2) * 84 * size, y: -8 + row * 84 * size };
  }
  if (apart) return { x: (i - (n - 1) / 2) * apart.x, y: (n > 1 ? -12 : -8) + (i - (n - 1) / 2) * apart.y };
  const step = n > 1 ? Math.min(8, 16 / (n - 1)) : 0;
  return { x: (i - (n - 1) / 2) * step, y: -10 + ((n - 1) / 2 - i) * step };
}

/** How the counters of a game are laid at rest. */
export interface Laid {
  /** How large the player wants counters. */
  wanted: number;
  /** How large the game draws them. */
  size: number;
  step?: { x: number; y: number };
  /** Whether a layer writes a figure above them: then they are smaller and lower, so that it hides nothing. */
  figures: boolean;
}

const HALF = 30;
const FANNED = 1.3;
const BELOW_FIGURES = { size: 0.78, step: 0.8, down: 9 };

/** Where the i-th of n counters of a hex lies, relative to the centre, and at which scale. */
export function lay(i: number, n: number, fanned: boolean, laid: Laid): Point & { scale: number } {
  const below = laid.figures && !fanned;
  const size = laid.wanted * (below ? BELOW_FIGURES.size : 1);
  const closer = below ? BELOW_FIGURES.step : 1;
  const step = laid.step && { x: laid.step.x * closer, y: laid.step.y * closer };
  const at = spread(i, n, fanned, size, step);
  return { x: at.x, y: at.y + (below ? BELOW_FIGURES.down : 0), scale: size * (fanned ? FANNED : laid.size) };
}

/** How high n counters at rest reach, relative to the centre of their hex. */
export const topOf = (n: number, laid: Laid): number =>
  Math.min(
    ...Array.from({ length: Math.max(1, n) }, (_, i) => {
      const { y, scale } = lay(i, n, false, laid);
      return y - HALF * scale;
    }),
  );
