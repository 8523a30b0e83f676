import type { EventKinds } from "../../../lib/state/eventKinds.ts";

/** What the events of this game mean to the shared parts of the client. */
export const eventKinds: EventKinds = {
  battles: ["fight"],
  grave: ["fight"],
  rolls: [],
  untold: [],
  losses: [],
  time: ["phase", "turn"],
  phase: "phase",
};
