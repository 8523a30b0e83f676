import type { SeatsInfo } from "../net/types.ts";

/** The seats of people whom one has blocked and who are not at the rematch: its door is closed to them. */
export function shutOut(info: Pick<SeatsInfo, "blocked" | "rematch">): string[] {
  return info.rematch === null || info.rematch.door === "taken"
    ? info.blocked.filter((seat) => !info.rematch?.asked.includes(seat))
    : [];
}
