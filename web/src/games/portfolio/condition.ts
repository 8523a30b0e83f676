import { figured } from "../../lib/ui/figured.ts";
import type { ViewUnit } from "../../lib/net/types.ts";

/** What units on the move may still spend: "2 of 6 movement factors left, bonus 2". */
export const factorsLeft = (reach: { factor: number; left: number; bonusLeft: number }): string =>
  [
    reach.left === reach.factor
      ? figured(reach.factor, "movement factor")
      : `${reach.left} of ${figured(reach.factor, "movement factor")} left`,
    reach.bonusLeft ? `bonus ${reach.bonusLeft}` : "",
  ]
    .filter(Boolean)
    .join(", ");

/** The condition of a unit in words. */
export const conditionOf = (u: Partial<ViewUnit>): string =>
  [
    u.dispersed ? "Dispersed" : "",
    u.spent ? "Spent" : "",
    u.moved && !u.spent ? "moved" : "",
    u.attacked && !u.spent ? "attacked" : "",
    u.hold ? "no retreat" : "",
    u.fuel_short ? "no fuel" : "",
  ]
    .filter(Boolean)
    .join(", ");
