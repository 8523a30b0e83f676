/** What requests hold. */

import type { ClockChoice } from "../clocks/terms.ts";
import type { Behind } from "../seats/onlookers.ts";
import type { Controller, OpenTable } from "./types.ts";

export interface NewMatch {
  game: string;
  scenario: string;
  options: Record<string, string>;
  players: number;
  controllers: Record<string, Controller>;
  title?: string;
  seed?: number;
  /** Seats for others, who come by invitation, and whether they agree to hints from the computer. */
  guests?: string[];
  hints?: boolean;
  /** The seats of guests are put on the list of open tables. */
  publish?: Wish;
  clock?: ClockChoice;
  /** By how much onlookers are behind the players. */
  behind?: Behind;
}
/** What is wished of the player who takes an open seat. */
export type Wish = Pick<OpenTable["free"][number], "pace" | "level">;
/** An action of a seat that saw the match at a version; sent again under its id, it happens once. */
export interface Acting {
  seat: string;
  key: string;
  version: number;
  action: string;
  request_id: string;
}
/** A seat and its key; without one the owner of the machine is speaking. */
export interface Caller {
  seat?: string;
  key?: string;
}
/** A lesson brings scenario, seats and opponent itself. */
export interface NewLesson {
  game: string;
  lesson: string;
}
