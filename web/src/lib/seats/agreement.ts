import { type ClockChoice, ratedClock } from "../clocks/terms.ts";
import type { Behind } from "./onlookers.ts";
import type { Level, Pace } from "./wishes.ts";

/** What whoever starts a match with guests says of it. */
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
  return {
    hints: hints && !rated,
    ...(open ? { publish: { pace, level } } : {}),
    ...(rated ? { clock: ratedClock(clock) } : clock ? { clock } : {}),
    ...(behind === null ? {} : { behind }),
    ...(rated ? { rated } : {}),
  };
}
