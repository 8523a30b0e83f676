import { codeOf } from "../../lib/counters/symbol.ts";
import { NO_KINDS } from "../../lib/state/eventKinds.ts";
import type { StaticGame } from "../../lib/net/types.ts";
import type { GameClient, Played, TurnBox } from "../types.ts";
import Asides from "./Asides.svelte";
import Situation from "./Situation.svelte";
import { coloursOf, sidesNamed } from "./sides.ts";
import { titled } from "./words.ts";

/** More turns than the bar has room for are not drawn as a track. */
const MOST_BOXES = 60;

/** A game without an entry of its own: what every game says, drawn as it is said. */
export function plainClient(id: string, { source, seats, view }: Played): GameClient {
  const sides = sidesNamed(seats);
  return {
    id,
    sidc: ({ symbol }) => codeOf(symbol, "-"),
    badge: () => "",
    nations: coloursOf(source, sides),
    sides,
    homeCountry: "",
    primary: source.plainest,
    leave: [],
    tips: {},
    doneNames: {},
    destructiveVerbs: [],
    asksBeforeEnd: [],
    turnTrack: ({ turn }) => trackOf(turn),
    standing: () => null,
    spokenTurn: ({ turn, phase }) => [turn.label, turn.weather_title, phase.label].filter(Boolean).join(", ") + ".",
    tell: (unit) => unit.name,
    layers: [
      { id: "reach", title: "Hexes that can be chosen", key: "R" },
      ...(Object.keys(view.control).length ? [{ id: "control", title: "Control of the land", key: "C" }] : []),
      { id: "hexIds", title: "Hex numbers", key: "X" },
      { id: "names", title: "Place names" },
      { id: "map_notes", title: "Notes and arrows" },
      { id: "minimap", title: "Overview in the corner" },
    ],
    events: NO_KINDS,
    verbs: { setsDown: [], hostile: [] },
    panels: [{ id: "situation", title: "Situation", component: Situation }],
    orders: Asides,
    listsAll: () => true,
    strengthWords: "",
    keys: [],
    help: [
      {
        title: "How to play",
        text: "The Orders tab lists every legal order. Choose a highlighted hex or unit to carry its order out.",
      },
    ],
    mapKey: [],
    flat: source.map.orientation === "flat",
    notation: notationOf(source),
  };
}

function trackOf(turn: Played["view"]["turn"]): TurnBox[] {
  const count = (turn.last ?? 0) - turn.first + 1;
  if (turn.last === null || count > MOST_BOXES) return [];
  return Array.from({ length: count }, (_, n) => turn.first + n).map((number) => ({
    number,
    label: number === turn.number ? turn.label : "",
    weather: "",
    letter: "",
    here: number === turn.number,
  }));
}

/** How its orders are written: each verb with what it names. */
const notationOf = ({ verbs }: StaticGame): string =>
  Object.entries(verbs)
    .slice(0, 3)
    .map(([verb, { args }]) => [verb, ...args.map(titled)].join(" "))
    .join("   ");
