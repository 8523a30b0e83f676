import type { HistoricalFront } from "../api/schema";
import type { Hex, MapModel } from "../map/model.ts";

/** The front of the latest date that has come; before the first one there is none. */
export const frontAt = (fronts: readonly HistoricalFront[], turn: number): HistoricalFront | undefined =>
  fronts.filter((f) => f.turn <= turn).at(-1);

/** Its line from row to row, along the eastern side of the hexes; further apart is a gap, such as a gulf. */
export function linePath(map: MapModel, front: HistoricalFront): string {
  const hexes = front.line.map((id) => map.byId.get(id)).filter((h): h is Hex => h !== undefined);
  const half = map.lattice.half.x;
  return hexes
    .map((h, i) => {
      const before = hexes[i - 1];
      const joined = before !== undefined && Math.abs(h.centre.y - before.centre.y) < 2 * map.lattice.half.y;
      return `${joined ? "L" : "M"}${h.centre.x + half} ${h.centre.y}`;
    })
    .join("");
}
