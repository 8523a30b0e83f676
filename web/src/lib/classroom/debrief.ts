import type { StaticGame, View } from "../net/types.ts";

export interface Losses {
  before: number;
  now: number;
  gone: string[];
  come: number;
}

/** Which pieces of a side stood on the map, and do not any more: what everybody could see by comparing the two. */
export function lossesOf(source: StaticGame, then: View, now: View, side: string): Losses {
  const known = new Map(source.units.map((u) => [u.id, u]));
  const standing = (view: View): string[] =>
    view.units.filter((u) => u.hex && (u.side ?? known.get(u.id)?.side) === side).map((u) => u.id);
  const [before, after] = [standing(then), standing(now)];
  return {
    before: before.length,
    now: after.length,
    gone: before.filter((id) => !after.includes(id)).map((id) => known.get(id)?.name ?? id),
    come: after.filter((id) => !before.includes(id)).length,
  };
}
