import type { SeatInfo, StaticGame } from "../../lib/net/types.ts";
import { sidesOf } from "../../lib/state/sides.ts";
import type { NationStyle, SideStyle } from "../types.ts";
import { titled } from "./words.ts";

const INK = "#1d1d1b";
/** Of the counters, by the place of their side among the sides: the first two match the flags of the sides. */
const COLOURS = [
  { body: "#b4bcb2", band: "#333d3a" },
  { body: "#dba48e", band: "#862b20" },
  { body: "#d8c887", band: "#5c4d17" },
  { body: "#a9c9b4", band: "#235240" },
];
const colour = (place: number): { body: string; band: string } => COLOURS[Math.max(0, place) % COLOURS.length]!;

/** The sides by the titles of their seats; where several sit on a side, by its own name. */
export const sidesNamed = (seats: readonly SeatInfo[]): Record<string, SideStyle> =>
  Object.fromEntries(
    sidesOf(seats).map((side, place) => {
      const [only, ...others] = seats.filter((seat) => seat.side === side);
      const name = only && !others.length ? only.title : titled(side);
      return [side, { name, band: colour(place).band, round: place === 1 }];
    }),
  );

/** The colours of counters by their nation: those of the side that it fights for. */
export function coloursOf(source: StaticGame, sides: Record<string, SideStyle>): Record<string, NationStyle> {
  const places = Object.keys(sides);
  const nations = new Map(source.units.map((unit) => [unit.nation, unit.side]));
  if (!nations.size) nations.set("", places[0] ?? "");
  return Object.fromEntries(
    [...nations].map(([nation, side]) => [
      nation,
      { name: titled(nation), letter: "", ink: INK, ...colour(places.indexOf(side)) },
    ]),
  );
}
