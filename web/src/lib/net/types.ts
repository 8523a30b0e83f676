/** What the server says, by the names the client uses: generated types, and what the games add to them. */

import type {
  Asides,
  BoardView,
  Front,
  Hexes,
  Piece,
  PortfolioCounter,
  PortfolioHex,
  PortfolioObservation,
  PortfolioOdds,
  PortfolioRail,
  PortfolioReach,
  PortfolioRoute,
  PortfolioSupply,
  PortfolioUnit,
  StaticGame as AnyStaticGame,
  StaticHex as AnyStaticHex,
  StaticMap,
  StaticUnit as AnyStaticUnit,
  Why,
  WirHex,
  WirSupply,
} from "../api/schema";

export type {
  Attack,
  BotInfo,
  Choice,
  Controller,
  Created,
  Decision,
  DecisionOption,
  DiceInfo,
  DiceSource,
  GameEvent,
  GameInfo,
  Goal,
  GoalPart,
  InvitationInfo,
  LessonInfo,
  LevelInfo,
  LogEntry,
  MatchSummary,
  Message,
  OptionInfo,
  Paragraph,
  ScenarioInfo,
  SeatInfo,
  SeatsInfo,
  Piece,
  SeatState,
  StaticPlace,
  StaticSide,
  Why,
} from "../api/schema";

export type Side = string;

/** A hex, with what games say of it beyond the common shape. */
export type StaticHex = AnyStaticHex & Partial<PortfolioHex> & Partial<WirHex>;
/** A counter; one without printed factors has noughts. */
export type StaticUnit = AnyStaticUnit &
  Partial<PortfolioCounter> &
  Pick<PortfolioCounter, "af" | "df" | "mf"> & { name: string };
export interface StaticGame extends Omit<AnyStaticGame, "map" | "units" | "history"> {
  map: Omit<StaticMap, "hexes"> & { hexes: StaticHex[] };
  units: StaticUnit[];
}

/** A piece, with the marks of *The Russian Portfolio*. */
export type ViewUnit = Piece & Partial<PortfolioUnit>;

/** A match on a map, with what *The Russian Portfolio* adds. */
export interface View extends Omit<BoardView, "units" | "victory"> {
  units: ViewUnit[];
  victory: Partial<PortfolioObservation["victory"]> & { [more: string]: unknown };
  points?: PortfolioObservation["points"];
  seas?: PortfolioObservation["seas"];
  siberia?: PortfolioObservation["siberia"];
  offensive?: PortfolioObservation["offensive"];
}

export type Odds = PortfolioOdds;
export type Reach = PortfolioReach;
export type Route = Partial<PortfolioRoute> & Pick<PortfolioRoute, "hexes" | "cost">;
export type Supply = Partial<PortfolioSupply> & Partial<WirSupply>;
export type Rail = Partial<PortfolioRail>;

/** What the shell asks the engine; a game has its own questions besides. */
export interface Answers {
  asides: Asides;
  front: Front;
  odds: Odds;
  rail: Rail;
  reach: Reach;
  route: Route;
  supply: Supply;
  why: Why;
  zoc: Hexes;
}

export interface Refusal {
  code: string;
  message: string;
  rule?: string | null;
  view?: View;
}
