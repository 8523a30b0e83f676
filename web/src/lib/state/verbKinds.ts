/** What the shared parts of the client have to know of the verbs of a game. */
export interface VerbKinds {
  /** Set units in hand down: on a hex, or in the place of another. */
  setsDown: readonly string[];
  /** Sends units on the move to a hex; the engine tells what each hex costs. */
  marches?: string;
  /** Takes up a unit that can still move. */
  takesUp?: string;
  /** Lets one more unit go along. */
  joins?: string;
  /** Puts units in hand back where they were. */
  putsBack?: string;
  /** Ends a phase, or a step of it. */
  ends?: string;
  /** Begins an attack on a hex. */
  attacks?: string;
  /** Adds a hex to the attack that is being put together. */
  extends?: string;
  /** Light up their hexes as those of an enemy. */
  hostile: readonly string[];
}
