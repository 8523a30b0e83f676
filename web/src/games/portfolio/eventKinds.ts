import type { EventKinds } from "../../lib/state/eventKinds.ts";

/** What the events of this game mean to the shared parts of the client. */
export const eventKinds: EventKinds = {
  battles: ["combat"],
  highlights: ["combat", "result", "weather_die", "roulette", "victory_count", "eliminated", "lost_isolated"],
  rolls: ["combat", "sailed", "cut_off"],
  omitted: ["announced"],
  losses: ["captured", "eliminated", "lost_isolated", "exchanged", "reduced"],
  gambles: ["roulette"],
  time: ["phase", "turn", "turn_end"],
  phase: "phase",
};
