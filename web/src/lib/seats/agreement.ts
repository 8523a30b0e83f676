import { type ClockChoice, ratedClock } from "../clocks/terms.ts";
import type { Behind } from "./onlookers.ts";
import type { Level, Pace } from "./wishes.ts";

/** What the player who starts a match with guests says of it. */
export interface Terms {
  name: string;
  hints: boolean;
  open: boolean;
  pace: Pace;
  level: Level;
  clock: ClockChoice | null;
  behind: Behind | null;
  rated: boolean;
}

/** The same, as the server wants it. */
export function agreementOf({ hints, open, pace, level, clock, behind, rated }: Terms): {
  hints: boolean;
  publish?: { pace: Pace; level: Level };
  clock?: ClockChoice;
  behind?: Behind;
  rated?: true;
} {
  const agreed = rated ? ratedClock(clock) : clock;
  return {
    hints: hints && !rated,
    ...(open ? { publish: { pace, level } } : {}),
    ...(agreed ? { clock: agreed } : {}),
    ...(behind === null ? {} : { behind }),
    ...(rated ? { rated } : {}),
  };
}
