import type { MapModel } from "../../../lib/map/model.ts";
import type { StaticGame } from "../../../lib/net/types.ts";
import { chartsOf } from "./charts.ts";
import type { PlotEntry, WirUnit } from "./types.ts";

/** The manual's directions 1-6 (north, north-east, south-east, south, south-west, north-west) as those of a flat-top map. */
const LATTICE = [-1, 3, 2, 1, 0, 5, 4];

export const plotEntry = (map: MapModel, plot: string): PlotEntry | null => chartsOf(map).plots[plot] ?? null;

/** A plot in words. */
export const tellPlot = (source: StaticGame, plot: string): string => chartsOf(source).plots[plot]?.words || "no plot";

/** The names of the directions 1-6. */
export const directionNames = (map: MapModel): readonly string[] => chartsOf(map).directions;

export function stepFrom(map: MapModel, hex: string, direction: number): string | null {
  const here = map.byId.get(hex);
  const d = LATTICE[direction];
  return here && d !== undefined && d >= 0 ? (map.step(here, d)?.id ?? null) : null;
}

/** The manual's direction from a hex to an adjacent one, or 0. */
export function directionTo(map: MapModel, from: string, to: string): number {
  return Math.max(0, LATTICE.indexOf(map.direction(from, to), 1));
}

/** The hexes a plot names, the group's own first; a pause stays where it is. */
export function plotPath(map: MapModel, from: string, plot: string): string[] {
  const path = [from];
  for (const d of plotEntry(map, plot)?.steps ?? []) {
    const next = d ? stepFrom(map, path.at(-1)!, d) : path.at(-1)!;
    if (!next) break;
    path.push(next);
  }
  return path;
}

/** The hexes a group's plot will lead it through, as far as is known: rain may end it early. */
export function pathAhead(map: MapModel, unit: Pick<WirUnit, "hex" | "plot" | "plot_ends">): string[] {
  if (!unit.hex || !unit.plot) return [];
  const path = plotPath(map, unit.hex, unit.plot);
  return unit.plot_ends ? path.slice(0, path.indexOf(unit.plot_ends.hex) + 1) : path;
}

/** The plot that one more direction makes of another, if it is offered; where only the one that stays is, that one. */
export function longerPlot(
  map: MapModel,
  plot: string,
  direction: number | string,
  offered: ReadonlyMap<string, unknown>,
): string | null {
  const longer = plotEntry(map, plot)?.longer[direction];
  if (!longer) return null;
  if (offered.has(longer)) return longer;
  const stop = plotEntry(map, longer)?.stop;
  return stop && offered.has(stop) ? stop : null;
}

/** The hexes that may be pointed at next, going on with a plot or beginning another one. */
export function nextHexes(map: MapModel, from: string, plot: string, offered: ReadonlyMap<string, unknown>): string[] {
  const found = new Set<string>();
  for (const [start, text] of [
    [from, ""],
    [plotPath(map, from, plot).at(-1)!, plot],
  ] as const)
    for (const direction of Object.keys(plotEntry(map, text)?.longer ?? {})) {
      const hex = longerPlot(map, text, direction, offered) ? stepFrom(map, start, Number(direction)) : null;
      if (hex && hex !== from) found.add(hex);
    }
  return [...found];
}

/** The plot that a click on a hex makes of the one there is: a further step if it can follow on, else a new first one. */
export function extendPlot(
  map: MapModel,
  from: string,
  plot: string,
  hex: string,
  offered: ReadonlyMap<string, unknown>,
): string | null {
  const end = plotPath(map, from, plot).at(-1)!;
  const on = plot ? longerPlot(map, plot, directionTo(map, end, hex), offered) : null;
  if (on || (plot && hex === from)) return on;
  return longerPlot(map, "", directionTo(map, from, hex), offered);
}

/** A plot that leads to a hex farther off, if one is offered; of several the one that avoids the given hexes. */
export function plotTo(
  map: MapModel,
  from: string,
  hex: string,
  offered: ReadonlyMap<string, unknown>,
  avoid: ReadonlySet<string>,
): string | null {
  const ways = [...offered.keys()].filter((text) => {
    const entry = plotEntry(map, text);
    return entry && !entry.ending && plotPath(map, from, text).at(-1) === hex;
  });
  const free = (text: string): boolean =>
    !plotPath(map, from, text)
      .slice(1, -1)
      .some((h) => avoid.has(h));
  return ways.find(free) ?? ways[0] ?? null;
}
