import type { Point } from "../map/geometry.ts";
import type { MapModel } from "../map/model.ts";
import { type Box, layNames, type Plate } from "../map/plates.ts";

/** How wide the picture is on paper, and how high its letters are. */
const WIDE = 420;
const LETTERS = 11;
/** Half of what a piece covers. */
const PIECE = 38;

/** A part of the map. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Names of places within a part of the map, where no piece lies over them. */
export function namesIn(
  map: MapModel,
  area: Area,
  pieces: readonly { at: Point }[],
  widthOf: (name: string, font: string) => number,
): (Plate & { name: string })[] {
  const taken = new Map<string, Box>();
  const here = { left: -PIECE, right: PIECE, top: -PIECE, bottom: PIECE };
  const standing = new Set(pieces.map(({ at }) => at));
  for (const hex of map.hexes) if (standing.has(hex.centre)) taken.set(hex.id, here);
  const size = (LETTERS * area.width) / WIDE;
  const names = layNames(map, taken, 1, widthOf, () => size);
  return map.places.flatMap((place) => {
    const plate = names.get(place.hex);
    return plate && within(plate, area) ? [{ ...plate, name: place.name }] : [];
  });
}

const within = (b: Box, area: Area): boolean =>
  b.left >= area.x && b.top >= area.y && b.right <= area.x + area.width && b.bottom <= area.y + area.height;
