import { statusOf } from "./signs.svelte.ts";
import type { WirUnit } from "./types.ts";

/** What the figure at the foot of a counter can say of a group's units. */
export const FIGURES: readonly { id: string; title: string }[] = [
  { id: "strength", title: "strength" },
  { id: "power", title: "what it counts in a fight now" },
  { id: "fatigue", title: "fatigue, on average" },
  { id: "experience", title: "experience, on average" },
  { id: "supply", title: "supply" },
  { id: "entrenchment", title: "entrenchment" },
];

/** The one that is shown until another is chosen. */
export const USUAL_FIGURE = FIGURES[0]!.id;

const mean = (u: Partial<WirUnit>, what: "experience" | "fatigue"): number | undefined =>
  u.units?.length ? Math.round(u.units.reduce((n, c) => n + c[what], 0) / u.units.length) : undefined;

/** The figure that is wanted; nothing where it is not known. */
export function figureOf(u: Partial<WirUnit>, side: string, wanted: string): string {
  const shown = (n: number | undefined): string => (n === undefined ? "" : String(n));
  switch (wanted) {
    case "power":
      return shown(u.power);
    case "fatigue":
    case "experience":
      return shown(mean(u, wanted));
    case "supply":
      return u.supplied ? "S" : statusOf("U", side).sign;
    case "entrenchment":
      return shown(u.entrench);
  }
  return shown(u.strength ?? u.units?.reduce((n, c) => n + c.strength, 0));
}
