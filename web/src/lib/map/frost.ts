import type { StaticSide } from "../net/types.ts";
import type { Ground } from "./base.ts";

/** Whether what runs between two hexes lies under ice. */
export const isFrozen = (ground: Ground, side: StaticSide): boolean => ground.ice && (side.freezes ?? false);
