import type { HexPair } from "../api/schema";
import type { MapModel } from "./model.ts";

/** Land of one owner this small, with nobody on it, is no front. */
const SPECK = 3;

/** The front without the rings around a few empty hexes that one side holds behind the other's line. */
export function withoutSpecks(
  map: MapModel,
  front: readonly HexPair[],
  held: ReadonlySet<string>,
  occupied: { has(hex: string): boolean },
): HexPair[] {
  const specks = new Set<string>();
  const seen = new Set<string>();
  for (const start of new Set(front.flatMap(({ a, b }) => [a, b]))) {
    if (seen.has(start)) continue;
    const patch = [start];
    const owner = held.has(start);
    seen.add(start);
    for (const id of patch) {
      for (const n of map.neighbours(map.byId.get(id) ?? null)) {
        if (!n || n.water || seen.has(n.id) || held.has(n.id) !== owner) continue;
        seen.add(n.id);
        patch.push(n.id);
      }
    }
    if (patch.length <= SPECK && !patch.some((id) => occupied.has(id))) for (const id of patch) specks.add(id);
  }
  return front.filter(({ a, b }) => !specks.has(a) && !specks.has(b));
}
