import type { HexFigure } from "../net/types.ts";

/** From which odds on each shade but the first begins. */
const STEPS = [1, 2, 3, 5];
/** The shades of the layer of odds, the worst for the attacker first, told apart by who cannot tell red from green. */
export const ODDS_SHADES = ["#b35806", "#f1a340", "#f7e3c0", "#998ec3", "#542788"];
export const ODDS_WORDS = ["below 1:1", "from 1:1", "from 2:1", "from 3:1", "from 5:1"];
/** The shades of the layer of strength, in the order of the sides. */
export const SIDE_SHADES = ["#2166ac", "#b2182b"];
/** How dense the shades of strength are, of a quarter, a half, three quarters and all of the strongest hex. */
export const DENSITIES = [0.16, 0.3, 0.44, 0.6];

/** The shade for odds, as a place in the list. */
export const oddsShade = (odds: number): number => STEPS.filter((from) => odds >= from).length;

/** How dense a hex is drawn whose strength is this part of that of the strongest. */
export const density = (value: number, most: number): number =>
  DENSITIES[Math.min(DENSITIES.length, Math.max(1, Math.ceil((value / most) * DENSITIES.length))) - 1]!;

/** The strongest of all known hexes. */
export const strongest = (figures: readonly HexFigure[]): number => Math.max(1, ...figures.map((f) => f.value ?? 0));
