import { type Point, UNIT } from "../map/geometry.ts";
import type { MapModel } from "../map/model.ts";
import type { View } from "../net/types.ts";
import type { Area } from "./pictureNames.ts";

const MARGIN = 1.6 * UNIT;

/** The pieces of one side in a hex. */
interface Stack {
  at: Point;
  /** Whether they are of the first side. */
  first: boolean;
  pieces: number;
}

/** What stands in a position, hex by hex. */
export function stacksIn(map: MapModel, view: View, sides: readonly string[]): Stack[] {
  const found = new Map<string, Stack>();
  for (const u of view.units) {
    const at = u.hex ? map.byId.get(u.hex)?.centre : undefined;
    const side = u.side ?? map.units.get(u.id)?.side ?? "";
    if (!at || !sides.includes(side)) continue;
    const stack = found.get(`${u.hex} ${side}`) ?? { at, first: side === sides[0], pieces: 0 };
    stack.pieces += 1;
    found.set(`${u.hex} ${side}`, stack);
  }
  return [...found.values()];
}

/** The part of the map in which something stands or is to be held in any of some positions. */
export function frameOf(map: MapModel, views: readonly View[], sides: readonly string[]): Area {
  const places = views.flatMap((view) => [
    ...stacksIn(map, view, sides).map((s) => s.at),
    ...(view.goal?.hexes ?? []).map((h) => map.byId.get(h)?.centre),
  ]);
  const known = places.filter((p) => p !== undefined);
  const xs = known.map((p) => p.x);
  const ys = known.map((p) => p.y);
  if (!known.length) return { x: 0, y: 0, width: map.width, height: map.height };
  const [x, y] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  return { x, y, width: Math.max(...xs) + MARGIN - x, height: Math.max(...ys) + MARGIN - y };
}
