import { lay, type Laid } from "../counters/spread.ts";
import type { StaticPlace } from "../net/types.ts";
import type { Point } from "./geometry.ts";
import type { MapModel } from "./model.ts";
import { fontOf, isNamed, rankOf, sizeOf } from "./places.ts";

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
/** A name of a place as it is written: where its middle is, and what it covers with the mark before it. */
export interface Plate extends Box {
  font: string;
  at: Point;
}

/** Half of a counter with its frame. */
const HALF = 34;
/** Room for the mark before a name. */
const MARK = 18;
/** On the screen, smaller letters are not read; names are made smaller down to this to find room. */
const LEGIBLE = 8;
const SMALLER = [1, 0.86, 0.72];
const CELL = 160;

/** What counters at rest cover, by hex, relative to its centre. */
export function covers(stacks: ReadonlyMap<string, readonly unknown[]>, laid: Laid): Map<string, Box> {
  const found = new Map<string, Box>();
  for (const [hex, { length }] of stacks) {
    const spots = Array.from({ length }, (_, i) => lay(i, length, false, laid));
    const edge = (way: "x" | "y", sign: number): number[] => spots.map((s) => s[way] + sign * HALF * s.scale);
    found.set(hex, {
      left: Math.min(...edge("x", -1)),
      right: Math.max(...edge("x", 1)),
      top: Math.min(...edge("y", -1)),
      bottom: Math.max(...edge("y", 1)),
    });
  }
  return found;
}

/** What is taken already, in cells, so that only what lies near is looked at. */
class Taken {
  private readonly cells = new Map<string, Box[]>();

  free(box: Box): boolean {
    const hit = (b: Box): boolean =>
      box.left < b.right && b.left < box.right && box.top < b.bottom && b.top < box.bottom;
    return this.near(box).every((cell) => !this.cells.get(cell)?.some(hit));
  }

  add(box: Box): void {
    for (const cell of this.near(box)) this.cells.set(cell, [...(this.cells.get(cell) ?? []), box]);
  }

  private near({ left, right, top, bottom }: Box): string[] {
    const cells: string[] = [];
    for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1)
      for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) cells.push(`${x} ${y}`);
    return cells;
  }
}

/** Where a name may stand about its hex: below if possible, as on every map. */
function spots(width: number, size: number, own: Box | undefined): Point[] {
  const { left = -12, right = 12, top = -14, bottom = 0 } = own ?? {};
  const below = Math.max(39, bottom + size * 0.55 + 3);
  const above = Math.min(-34, top - size * 0.55 - 3);
  return [
    { x: 8, y: below },
    { x: 40, y: below },
    { x: -24, y: below },
    { x: 8, y: above },
    { x: right + MARK + 4 + width / 2, y: 0 },
    { x: left - 4 - width / 2, y: 0 },
  ];
}

/** Names of places, the greater ones first, where nothing lies over them: no counter and no other name.
 * `size`: how large each is written. */
export function layNames(
  map: MapModel,
  counters: ReadonlyMap<string, Box>,
  scale: number,
  widthOf: (name: string, font: string) => number,
  size: (p: StaticPlace) => number = (p) => sizeOf(p, scale),
): Map<string, Plate> {
  const taken = new Taken();
  for (const [id, box] of counters) {
    const centre = map.byId.get(id)?.centre;
    if (centre) taken.add(moved(box, centre));
  }
  const plates = new Map<string, Plate>();
  const order = (p: StaticPlace): number => (p.victory ? 3 : rankOf(p));
  for (const p of map.places.toSorted((a, b) => order(b) - order(a))) {
    const centre = map.byId.get(p.hex)?.centre;
    if (!centre || !isNamed(p, scale)) continue;
    const usual = size(p);
    const plate = SMALLER.filter((s) => s === 1 || usual * s * scale >= LEGIBLE)
      .flatMap((s) => candidates(p, centre, usual * s, counters.get(p.hex), widthOf))
      .find((one) => taken.free(one));
    if (!plate) continue;
    taken.add(plate);
    plates.set(p.hex, plate);
  }
  return plates;
}

function candidates(
  p: StaticPlace,
  centre: Point,
  size: number,
  own: Box | undefined,
  widthOf: (name: string, font: string) => number,
): Plate[] {
  const font = fontOf(p, size);
  const width = widthOf(p.name, font);
  const [half, high] = [width / 2, size * 0.55];
  return spots(width, size, own).map(({ x, y }) => ({
    font,
    at: { x: centre.x + x, y: centre.y + y },
    ...moved({ left: x - half - MARK, right: x + half + 1, top: y - high, bottom: y + high }, centre),
  }));
}

const moved = (b: Box, by: Point): Box => ({
  left: b.left + by.x,
  right: b.right + by.x,
  top: b.top + by.y,
  bottom: b.bottom + by.y,
});
