import type { GameClient } from "../../games/types.ts";
import type { Ground } from "./base.ts";
import type { Hex } from "./model.ts";

/** Whether rivers and lakes between two hexes lie under ice, as they are drawn. */
export function isFrozen(
  game: Pick<GameClient, "coldZone" | "sideLooks">,
  ground: Ground,
  kind: string,
  hexes: readonly [Hex, Hex],
): boolean {
  const look = game.sideLooks?.[kind] ?? kind;
  if (look !== "river" && look !== "lake") return false;
  return ground.snow === "all" || (ground.snow !== "none" && hexes.every((h) => Boolean(game.coldZone?.(h))));
}
