/** What reports, sounds and playback have to know of the events of a game, by their kinds. */
export interface EventKinds {
  /** Battles, counted in the summary of the other side's turn and heard as dice. */
  battles: readonly string[];
  /** What is looked at for longer, and alone where only battles are wanted. */
  highlights: readonly string[];
  /** Rolls of dice with which a report begins. */
  rolls: readonly string[];
  /** What a report leaves out. */
  omitted: readonly string[];
  /** What was taken or lost. */
  losses: readonly string[];
  /** A die that may end the game at once: the last words of such a game name it. */
  gambles?: readonly string[];
  /** The passing of time, which ends a report. */
  time: readonly string[];
  /** The beginning of a phase, with its side in the data. */
  phase: string;
}

/** Those of a game that says nothing of them: it is played without reports. */
export const NO_KINDS: EventKinds = {
  battles: [],
  highlights: [],
  rolls: [],
  omitted: [],
  losses: [],
  time: [],
  phase: "",
};
