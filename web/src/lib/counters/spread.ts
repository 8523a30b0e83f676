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
