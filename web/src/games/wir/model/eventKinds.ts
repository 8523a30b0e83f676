import type { EventKinds } from "../../../lib/state/eventKinds.ts";

/** What the events of this game mean to the shared parts of the client. */
export const eventKinds: EventKinds = {
  battles: ["fight"],
  highlights: ["fight"],
  rolls: [],
  omitted: [],
  losses: [],
  time: ["phase", "turn"],
  phase: "phase",
};
