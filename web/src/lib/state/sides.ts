import type { SeatInfo } from "../net/types.ts";

/** The sides of a match or a game, in the order in which the game names its seats. */
export const sidesOf = (seats: readonly SeatInfo[]): string[] => [...new Set(seats.map((s) => s.side))];

/** The seats of a game for the fewest players that it offers. */
export const usualSeats = (game: { seats: Readonly<Record<string, SeatInfo[]>> } | undefined): readonly SeatInfo[] =>
  Object.values(game?.seats ?? {})[0] ?? [];

const CLASSES = ["first-side", "second-side"];

/** The class that draws a side in its colours: they go by its place among the sides. */
export const sideClass = (seats: readonly SeatInfo[], side: string | null | undefined): string =>
  CLASSES[sidesOf(seats).indexOf(side ?? "")] ?? "";

/** Who holds a hex of land: a side that the game does not list holds the rest; nobody holds what is neutral. */
export function holderOf(
  control: Readonly<Record<string, readonly string[]>>,
  sides: readonly string[],
  hex: { id: string; water: boolean; neutral?: boolean },
): string {
  if (hex.water) return "";
  const listed = sides.find((side) => control[side]?.includes(hex.id));
  if (listed !== undefined || hex.neutral) return listed ?? "";
  return Object.keys(control).length ? (sides.find((side) => !control[side]) ?? "") : "";
}
