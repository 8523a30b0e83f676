import type { MapModel } from "../../../lib/map/model.ts";
import type { DecisionOption } from "../../../lib/net/types.ts";

/** The manual's directions 1-6 (north, north-east, south-east, south, south-west, north-west) as those of a flat-top map. */
const LATTICE = [-1, 3, 2, 1, 0, 5, 4];
export const DIRECTIONS = ["", "north", "north-east", "south-east", "south", "south-west", "north-west"];

export type Ending = "" | "S" | "B";
export interface Plot {
  steps: number[];
  ending: Ending;
}

/** Reads "34S", "02", "2B"; also the number 134 that stands for 34S. */
export function readPlot(word: string): Plot | null {
  const text = /^\d{3}$/.test(word)
    ? `${word.slice(1)}${["", "S", "B"][Number(word[0])] ?? ""}`
    : word.toUpperCase().replace("O", "0");
  const found = /^([0-6]{1,2})([SB]?)/.exec(text);
  if (!found) return null;
  const steps = [...found[1]!].map(Number);
  // a second 0 says nothing
  return { steps: steps.length > 1 && steps[1] === 0 ? steps.slice(0, 1) : steps, ending: (found[2] ?? "") as Ending };
}

export const writePlot = (p: Plot): string => `${p.steps.join("")}${p.ending}`;

/** The plots offered, by their text. */
export const plotsOffered = (options: readonly DecisionOption[]): ReadonlyMap<string, DecisionOption> =>
  new Map(
    options
      .filter((o) => o.verb === "plot")
      .flatMap((o) => {
        const plot = readPlot(o.action.split(" ").at(-1) ?? "");
        return plot ? [[writePlot(plot), o] as const] : [];
      }),
  );

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
export function plotPath(map: MapModel, from: string, plot: Plot): string[] {
  const path = [from];
  for (const d of plot.steps) {
    const next = d ? stepFrom(map, path.at(-1)!, d) : path.at(-1)!;
    if (!next) break;
    path.push(next);
  }
  return path;
}

/** The plot that a click on a hex makes of the one there is: a second step if it can follow on, else a new first one. */
export function extendPlot(
  map: MapModel,
  from: string,
  plot: Plot | null,
  hex: string,
  offered: ReadonlyMap<string, unknown>,
): Plot | null {
  if (plot) {
    const path = plotPath(map, from, plot);
    const end = path.at(-1)!;
    const d = directionTo(map, end, hex);
    const longer: Plot = { steps: [...plot.steps, d], ending: "" };
    if (d && plot.steps.length < 2 && !plot.ending && offered.has(writePlot(longer))) return longer;
    if (hex === from) return null;
  }
  const first = directionTo(map, from, hex);
  if (first && offered.has(String(first))) return { steps: [first], ending: "" };
  if (first && offered.has(`${first}S`)) return { steps: [first], ending: "S" };
  return null;
}

/** A plot of two steps that leads to a hex two away, if one is offered; of several the one over the given hexes. */
export function plotTo(
  map: MapModel,
  from: string,
  hex: string,
  offered: ReadonlyMap<string, unknown>,
  avoid: ReadonlySet<string>,
): Plot | null {
  const ways: Plot[] = [];
  for (const text of offered.keys()) {
    const plot = readPlot(text);
    if (plot && !plot.ending && plot.steps.length === 2 && plotPath(map, from, plot).at(-1) === hex) ways.push(plot);
  }
  return (
    ways.find(
      (p) =>
        !plotPath(map, from, p)
          .slice(1, -1)
          .some((h) => avoid.has(h)),
    ) ??
    ways[0] ??
    null
  );
}

export function tellPlot(text: string): string {
  const plot = readPlot(text);
  if (!plot) return "no plot";
  const ways = plot.steps.map((d) => (d ? DIRECTIONS[d] : "pause")).join(", then ");
  return plot.ending === "B" ? `bombard ${ways}` : plot.ending === "S" ? `attack ${ways}, no advance` : ways;
}
