import type { WirTally } from "../../../lib/api/schema";
import type { View } from "../../../lib/net/types.ts";
import type { WirView } from "./types.ts";

export interface Score {
  sides: Record<string, Record<string, number>>;
  total: number | null;
  level: string;
}

/** The score as the server counts it. */
export function tally(view: View | WirView | null): Score {
  const { axis = {}, soviet = {}, difference, level } = (view?.victory ?? {}) as Partial<WirTally>;
  return { sides: { axis, soviet }, total: difference ?? null, level: level ?? "" };
}
