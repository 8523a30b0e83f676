import type { Component } from "svelte";
import type { CounterProps } from "../lib/counters/Counter.svelte";
import type { Views } from "../lib/input/keyboard.ts";
import type { MapModel } from "../lib/map/model.ts";
import type { MapKeyPart } from "../lib/mapkey/sample.ts";
import type { Palette } from "../lib/map/palette.ts";
import type {
  Decision,
  DecisionOption,
  LogEntry,
  SeatInfo,
  StaticGame,
  StaticHex,
  StaticUnit,
  View,
  ViewUnit,
  Way,
} from "../lib/net/types.ts";
import type { LayerData } from "../lib/state/table/layers.svelte.ts";
import type { EventKinds } from "../lib/state/eventKinds.ts";
import type { VerbKinds } from "../lib/state/verbKinds.ts";
import type { MatchStore } from "../lib/state/match/match.svelte.ts";
import type { Building } from "../lib/state/table/attacks.svelte.ts";
import type { AutoReply } from "../lib/state/match/autoAnswers.svelte.ts";
import type { Layer } from "../lib/state/prefs.svelte.ts";
import type { Hint } from "../lib/state/table/hints.svelte.ts";
import type { Table } from "../lib/state/table/table.svelte.ts";

export interface NationStyle {
  name: string;
  letter: string;
  body: string;
  band: string;
  ink: string;
}
export interface SideStyle {
  name: string;
  band: string;
  round: boolean;
}
/** A turn in the bar: its weather, as far as it is known, in words and as a letter. */
export interface TurnBox {
  number: number;
  label: string;
  weather: string;
  letter: string;
  here: boolean;
}
export interface Scene {
  map: MapModel;
  view: View;
  palette: Palette;
  scale: number;
}
/** What is known of a match when its game is opened. */
export interface Played {
  source: StaticGame;
  seats: readonly SeatInfo[];
  view: View;
}
/** How what runs between two hexes is drawn. */
export type SideLook =
  | "river"
  | "lake"
  | "sea"
  | "strait"
  | "impassable"
  | "border"
  /** A fortified line, its teeth towards the front: from `a`, which it defends, to `b`. */
  | "rampart"
  /** Where the weather changes: dotted, with its name, where the layer "weather" is shown. */
  | "weather line";
/** A question that comes often, and in which cases the player wants to be asked it. */
export interface AutoAnswer {
  kind: string;
  title: string;
  usual: string;
  ways: readonly (readonly [string, string])[];
  /** Never given in a lesson, which is about the question. */
  taught?: boolean;
  /** The answer given without asking, if this way calls for one; it must be among the options. */
  answer(decision: Decision, way: string): AutoReply | null;
}
/** An answer given again and again, until the turn or the phase is over. */
export interface StandingAnswer {
  answer(decision: Decision): string | undefined;
  label: string;
  again: string;
  until: "turn" | "phase";
}
export type Keys = readonly [string, readonly (readonly [string, string])[]][];

/**
 * What clicks, drags and keys do in a game where the common way (one option for each hex and unit) does not fit.
 * Each may leave the matter to the table by answering false, null or undefined.
 */
export interface Interactions {
  /** The pieces in hand. */
  active(table: Table): string[];
  click(table: Table, hex: string, unit: string | null): Promise<boolean>;
  /** How many pieces have still to act, where not every one that can must. */
  waiting?(table: Table): number;
  /** Units that have still to be given something to do, where not every one that can must. */
  left?(table: Table): string[];
  /** Hexes where one's orders lead to combat. */
  combats?(table: Table): string[];
  canDrag(table: Table, unit: string): boolean;
  lift(table: Table, unit: string): Promise<void>;
  /** Set down on a hex, with Shift held `together` with others or otherwise than usual. */
  drop(table: Table, hex: string, unit: string, together: boolean): Promise<boolean>;
  /** Whether a click on a hex sends the piece in hand there; a stack fanned out next to it then does not stand in the way. */
  isDestination?(table: Table, hex: string): boolean;
  /** Where the eye should be when the page opens, if some place stands out. */
  focus?(table: Table): string | null;
  back(table: Table): boolean | Promise<boolean>;
  next(table: Table, step: number): boolean;
  explain(table: Table, hex: string, unit: string | null): Promise<Hint | null | undefined>;
  key(table: Table, key: string, shift: boolean, views: Views): boolean;
}

/** What to click or press, and which sign of the engine's reminds of the rules then. */
export type Tip = string | { text?: string; sign: string };

/** What one game tells the shared shell: names, symbols, colours and its own panels. No rules. */
export interface GameClient {
  id: string;
  /** Completes what the server says of map and pieces, such as names for the seas. */
  fixed?(source: StaticGame): StaticGame;
  sidc(unit: StaticUnit): string;
  badge(unit: StaticUnit): string;
  nations: Readonly<Record<string, NationStyle>>;
  sides: Readonly<Record<string, SideStyle>>;
  /** How kinds of hex-sides are drawn that are not named after their look. */
  sideLooks?: Readonly<Record<string, SideLook>>;
  /** Whether a hex lies where winter comes first: in snow on part of the map it is white. */
  coldZone?(hex: StaticHex): boolean;
  /** The country in which the game is played: the land of all others is drawn paler and named. */
  homeCountry: string;
  /** What units are called that have still to act. */
  leftName?: string;
  /** Verbs that end or confirm a step, most natural first; the first one offered is the big button. */
  primary: readonly string[];
  /** Kinds of questions at which units can be sent off by one order of several steps, which the engine lists. */
  follows?: readonly string[];
  /** These orders, where such a question is open. */
  ways?(table: Table): Promise<readonly Way[]>;
  /** A click with Shift: does what is offered there with everybody who can; false if there is no such thing. */
  clickForAll?(table: Table, hex: string): Promise<boolean>;
  /** Whether a unit can be carried off for something else than to move it. */
  canStrike?(table: Table, unit: string): boolean;
  /** What comes of it where it was dropped, with Shift `together` with others; false if it is to move there. */
  strike?(table: Table, unit: string, hex: string, together: boolean): Promise<boolean>;
  /** The line of a move by a way drawn, hex by hex from where the units stand. */
  wayLine?(units: readonly string[], hexes: readonly string[]): string;
  /** What the engine says of an option at the hex that is pointed at. */
  offered?(table: Table, option: DecisionOption): Promise<string | null>;
  /** Verbs of which the first one offered is the big button. */
  inTurn?: Readonly<Record<string, string>>;
  /** Verbs that leave a sub-step so that another unit can be taken up. */
  leave: readonly string[];
  /** Verbs that stand in a panel of their own and need no button next to the question. */
  quiet?: readonly string[];
  /** What to click or press, by decision kind; shown below the question. */
  tips: Readonly<Record<string, Tip>>;
  /** A tip in place of these, where it depends on more than the kind of question. */
  tip?: (table: Table) => Tip;
  /** The question put to a player, where the game's client can say more than what both sides may read. */
  question?(table: Table): string;
  /** The other side gives its orders unseen: where they leave it is shown at once, not step by step. */
  ordersHidden?: boolean;
  /** "Done" in words, by decision kind. */
  doneNames: Readonly<Record<string, string>>;
  /** Questions, by decision kind, that a player may have answered the same way from now on. */
  turnAutoAnswers?: Readonly<Record<string, StandingAnswer>>;
  autoAnswers?: readonly AutoAnswer[];
  /** What a click on a hex does, by verb, where the place need not be named again. */
  hereNames?: Readonly<Record<string, string>>;
  /** Names of the phase while a kind of question is asked. */
  phaseNames?: Readonly<Record<string, string>>;
  /** Verbs of the whole side that cannot be wished back: asked twice. */
  confirmVerbs?: readonly string[];
  /** Verbs that give a unit up: asked twice, never a plain click. */
  destructiveVerbs: readonly string[];
  /** Whether the game lets a seat do things with its units besides answering, at any time. */
  asides?: boolean;
  /** Decision kinds whose end is asked twice while units can still act. */
  asksBeforeEnd: readonly string[];
  /** Decision kinds in which units march, so that their reach is asked for. */
  marches?: readonly string[];
  turnTrack(view: View, charts: StaticGame["charts"]): TurnBox[];
  /** The score in the bar: a figure and what it means. */
  standing(view: View, table: Table): { value: string; text: string; title: string; short?: string } | null;
  /** Weather and score in one spoken line. */
  spokenTurn(view: View): string;
  /** What the lines are called in which the hexes of the map are counted; rows where nothing is said. */
  lines?: "row" | "column";
  /** An option in words, where the server's need no names put in. */
  label?(option: DecisionOption): string;
  /** A piece with its figures in a few words. */
  tell(unit: StaticUnit, state: ViewUnit, source: StaticGame): string;
  /** The condition of a piece in words, where pieces have one. */
  conditionOf?: (state: ViewUnit) => string;
  /** The figures of a piece, in words and as tables write them, where pieces have some. */
  figuresOf?: (unit: StaticUnit) => { words: string; short: string };
  /** What only this game paints on the land; drawn again when the key changes. */
  paint?: { key(view: View): string; draw(ctx: CanvasRenderingContext2D, scene: Scene): void };
  layers: readonly { id: Layer; title: string; key?: string }[];
  /** What an entry of hundreds of events comes to, read aloud in place of them; empty for all others. */
  inShort?: (table: Pick<Table, "unitName" | "sideOf" | "map">, entry: LogEntry) => string;
  /** What its events mean to the shared parts of the client. */
  events: EventKinds;
  /** What its verbs mean to them. */
  verbs: VerbKinds;
  /** The attack being put together, if one is. */
  building?(match: MatchStore): Building | null;
  panels: readonly { id: string; title: string; component: Component<{ table: Table }> }[];
  /** The heart of the Orders panel. */
  orders: Component<{ table: Table }>;
  /** Whether the list of everything that is legal stands open below it. */
  listsAll(table: Table): boolean;
  counter?: Component<CounterProps>;
  /** What the layer of strength tells of a hex. */
  strengthWords: string;
  /** What the figure on its counters can say: ids and titles, the usual one first. */
  figures?: readonly { id: string; title: string }[];
  /** Draws what can be reached, and all else that is a game's own; without one the listed hexes are lit. */
  overlay?: Component<{ table: Table; layers: LayerData; part: "under" | "over" }>;
  /** How far the counters of a stack lie apart. */
  stackStep?: { x: number; y: number };
  counterSize?: number;
  /** Over the map: reports and the like. */
  float?: Component<{ table: Table }>;
  inspector?: Component<{ table: Table; layers: LayerData }>;
  textView?: Component<{ table: Table; onclose: () => void }>;
  interactions?: Interactions;
  keys: Keys;
  /** Titles of keys that mean something else while something passing goes on. */
  passing?: readonly string[];
  /** Keys of the table that this game uses otherwise. */
  help: readonly { title: string; text: string }[];
  /** The signs on map and counters. */
  mapKey: readonly MapKeyPart[];
  /** Whether the hexes of its map have a flat top. */
  flat?: boolean;
  notation: string;
}
