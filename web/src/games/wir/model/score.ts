import type { View } from "../../../lib/net/types.ts";

export interface Score {
  sides: Record<string, Record<string, number>>;
  total: number | null;
  level: string;
}

/** The score as the server counts it, in whatever detail it gives. */
export function tally(view: View | null): Score {
  const raw = (view?.victory ?? {}) as Record<string, unknown>;
  const sides: Score["sides"] = {};
  for (const side of ["axis", "soviet"]) {
    const rows = raw[side];
    if (rows && typeof rows === "object")
      sides[side] = Object.fromEntries(
        Object.entries(rows).filter((e): e is [string, number] => typeof e[1] === "number"),
      );
    else if (typeof rows === "number") sides[side] = { total: rows };
  }
  const difference = raw["difference"];
  return {
    sides,
    total: typeof difference === "number" ? difference : null,
    level: typeof raw["level"] === "string" ? raw["level"] : "",
  };
}
