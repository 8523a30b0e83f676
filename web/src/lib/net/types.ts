/** What the server says, by the names the client uses: generated types, and what the games add to them. */

import type {
  Asides,
  BoardView,
  Front,
  HexCost,
  Hexes,
  HexFigures,
  Piece,
  StaticGame as AnyStaticGame,
  StaticHex as AnyStaticHex,
  StaticMap,
  StaticUnit as AnyStaticUnit,
  SupplyLine,
  Trapped,
  Why,
} from "../api/schema";

export type {
  Account,
  AccountExport,
  AccountInfo,
  Attack,
  BotInfo,
  CalendarInfo,
  CalendarMade,
  Choice,
  Controller,
  Created,
  DamagedLetters,
  Decision,
  DecisionOption,
  DiceInfo,
  DiceSource,
  GameEvent,
  GameInfo,
  Goal,
  GoalPart,
  HexFigure,
  InvitationInfo,
  LessonInfo,
  LetterMatch,
  LetterRead,
  LetterTerms,
  LogEntry,
  MatchSummary,
  Message,
  NewPasskeyAsked,
  TrappedUnit,
  ClockInfo,
  ClockTerms,
  MailAgreed,
  Mark,
  NoticeInfo,
  NoticeWay,
  StandingInfo,
  Times,
  OpenTable,
  OwnRating,
  PasskeyAsked,
  Guides,
  Paragraph,
  RatingList,
  SideGuide,
  ScenarioInfo,
  SharedMark,
  MapNotes,
  SeatInfo,
  SeatsInfo,
  SeatsKept,
  Piece,
  StaticPlace,
  StaticSide,
  Term,
  Why,
} from "../api/schema";

export type Side = string;

/** What a game adds to a shape that the shell knows; where another is played it is missing. */
export type Added<Shape, Known> = Partial<Omit<Shape, keyof Known>>;

/** A way to a hex. */
export interface AnyRoute {
  hexes: string[];
  cost: number;
}
/** One order that sends a unit several hexes far. */
export interface Way {
  unit: string;
  hex: string;
  hexes: string[];
  dispersed: boolean;
  line: string;
}
/** What an announced attack would come to; without columns nobody is left to be attacked. */
export interface Odds {
  final: string;
  legal?: boolean;
  columns?: readonly unknown[];
}
/** Hexes in reach of units on the move, with their costs: as they are, and Dispersed. */
export interface Reach {
  plain: readonly HexCost[];
  dispersed: readonly HexCost[];
  factor: number;
  left: number;
  bonus_left: number;
}
export interface AnySupply {
  supplied?: string[];
  unsupplied_units?: string[];
}

// Each game adds its own fields to the following, in `games/<game>/shapes.ts`.

export interface StaticHex extends AnyStaticHex {}
/** A kind of counter. */
export interface StaticUnit extends AnyStaticUnit {
  name: string;
  type_title: string;
}
/** A piece on the map or off it. */
export interface ViewUnit extends Piece {}
/** How the goal of the game stands. */
export interface Victory {
  [more: string]: unknown;
}
/** A match on a map. */
export interface View extends Omit<BoardView, "units" | "victory"> {
  units: ViewUnit[];
  victory: Victory;
}
export interface Rail {}
export interface Route extends AnyRoute {}
export interface Supply extends AnySupply {}

export interface StaticGame extends Omit<AnyStaticGame, "map" | "units"> {
  /** What signs stand for, by the names that map keys give them. */
  signs: NonNullable<AnyStaticGame["signs"]>;
  /** What the land looks like, by the kinds of weather. */
  grounds: NonNullable<AnyStaticGame["grounds"]>;
  map: Omit<StaticMap, "hexes"> & { hexes: StaticHex[] };
  units: StaticUnit[];
}

/** What the shell asks the engine; a game has its own questions besides. */
export interface Answers {
  all_odds: HexFigures;
  asides: Asides;
  front: Front;
  line: SupplyLine;
  odds: Odds;
  rail: Rail;
  reach: Reach;
  route: Route;
  strengths: HexFigures;
  supply: Supply;
  trapped: Trapped;
  why: Why;
  zoc: Hexes;
}

/** What the engine answers in each game, by its id: games add their own in `games/<game>/shapes.ts`. */
export interface GameAnswers {}

export interface Refusal {
  code: string;
  message: string;
  rule?: string | null;
  view?: View;
}
