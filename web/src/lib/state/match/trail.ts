import type { View } from "../../net/types.ts";

export interface Move {
  from: string;
  to: string;
}

/** Whose view it is, as a window names its seat: an onlooker's is nobody's. */
export const seatOf = (view: View): string => view.seat ?? "";

/** More moves than this in one step would only cross the map in all directions. */
const MOST = 3;

/** A position on the way to the present, shown while others' moves are played. */
export const isPast = (view: View | null): boolean => view?.at !== undefined && view?.at !== null;

/** The moves of one step, or none when there are too many to follow. */
export const few = (moves: Move[]): Move[] => (moves.length > MOST ? [] : moves);

/** Moves of other seats between two positions one step apart; none after a step of one's own. */
export function trailOf(before: View, after: View, seat: string): Move[] {
  const last = after.last_events.at(-1);
  if (!last || last.seat === seat || after.ply === before.ply) return [];
  const was = new Map(before.units.map((u) => [u.id, u.hex]));
  return after.units.flatMap((u) => {
    const from = was.get(u.id);
    return from && u.hex && from !== u.hex ? [{ from, to: u.hex }] : [];
  });
}

/** Where others went since a seat was last asked, within the same turn. */
export const since = (asked: View | null, view: View, seat: string): Move[] =>
  asked?.turn.number === view.turn.number ? trailOf(asked, view, seat) : [];
