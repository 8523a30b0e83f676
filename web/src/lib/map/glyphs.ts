import type { Point } from "./geometry.ts";

const at = (c: Point, spots: readonly (readonly [number, number])[], draw: (x: number, y: number) => string): string =>
  spots.map(([dx, dy]) => draw(c.x + dx, c.y + dy)).join("");

/** Marsh tufts: a short water line with reeds. */
export const swampGlyph = (c: Point): string =>
  at(
    c,
    [
      [-24, -26],
      [16, -30],
      [-34, 2],
      [34, -2],
      [-14, 34],
      [22, 30],
      [0, 4],
    ],
    (x, y) => `M${x - 9} ${y}h18M${x} ${y - 1}v-8M${x - 4} ${y - 1}l-3 -6M${x + 4} ${y - 1}l3 -6`,
  );

/** Small conifers. */
export const forestGlyph = (c: Point): string =>
  at(
    c,
    [
      [-26, -24],
      [8, -32],
      [30, -12],
      [-36, 8],
      [38, 16],
      [-12, 32],
      [18, 36],
    ],
    (x, y) => `M${x} ${y - 9}l-5 9h10ZM${x} ${y}v4`,
  );

/** Hill arcs, as on relief maps. */
export const hillGlyph = (c: Point): string =>
  at(
    c,
    [
      [-22, -24],
      [20, -28],
      [-32, 6],
      [32, 4],
      [-10, 34],
      [18, 32],
    ],
    (x, y) => `M${x - 11} ${y + 4}q11 -15 22 0M${x + 3} ${y + 3}q3 -5 8 -6`,
  );

/** Peaks with a shaded flank. */
export const mountainGlyph = (c: Point): string =>
  at(
    c,
    [
      [-22, -22],
      [20, -26],
      [-30, 10],
      [32, 8],
      [0, 36],
      [2, -2],
    ],
    (x, y) => `M${x - 12} ${y + 8}l12 -20l12 20M${x} ${y - 12}l3 9l-4 4l4 7`,
  );
