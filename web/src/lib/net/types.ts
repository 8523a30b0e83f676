/** What the server says, by the names the client uses: generated types, and what the games add to them. */

import type { BoardView, Piece } from "../api/schema";

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
  OptionInfo,
  Paragraph,
  ScenarioInfo,
  SeatInfo,
  SeatsInfo,
  SeatState,
} from "../api/schema";

export type Side = string;

export interface StaticHex {
  id: string;
  x: number;
  y: number;
  terrain: string;
  country: string | null;
  coast?: string | string[] | null;
  sea?: string | null;
  arctic?: boolean | number;
  edge?: string | null;
  /** Number of the hex in event data. */
  i?: number;
  neutral?: boolean;
  passable?: boolean;
  confidence?: string;
  note?: string;
}
export interface StaticSide {
  a: string;
  b: string;
  kind: string;
  name?: string | null;
}
export interface StaticPlace {
  hex: string;
  name: string;
  kind: string;
  victory: number;
  factory: boolean | number;
  port: string | string[] | null;
  fortress: boolean | number;
  fuel: string | null;
}
export interface StaticUnit {
  id: string;
  name: string;
  side: Side;
  nation: string;
  type: string;
  size: string;
  af: number;
  df: number;
  mf: number;
  mark?: string | null;
  cost?: number | null;
  cost_kind?: string | null;
  replaceable?: boolean | number;
  pool?: string | null;
  group?: string | null;
}
export interface StaticGame {
  map: {
    width: number;
    height: number;
    hexes: StaticHex[];
    sides: StaticSide[];
    places: StaticPlace[];
    hex_size?: number;
    orientation?: "pointy" | "flat";
  };
  units: StaticUnit[];
  charts: Record<string, unknown>;
  verbs: Record<string, { args: string[]; title: string }>;
}

/** A piece, with the marks of *The Russian Portfolio*. */
export interface ViewUnit extends Piece {
  spent?: boolean;
  dispersed?: boolean;
  attacked?: boolean;
  hold?: boolean;
  fuel_short?: boolean;
}

/** A match on a map, with what *The Russian Portfolio* adds. */
export interface View extends Omit<BoardView, "units" | "victory"> {
  units: ViewUnit[];
  points?: Record<Side, Record<string, number>>;
  victory: { held?: string[]; needed?: number; points?: number; [k: string]: unknown };
  seas?: Record<string, Side | null>;
  siberia?: Record<string, unknown> | null;
  offensive?: Record<string, unknown> | null;
}

export interface OddsItem {
  text: string;
  value: number | string;
  rule?: string;
  side?: string;
  hex?: string;
}
/** What one face of the die brings: worked out by the resolver. */
export interface OddsFace {
  die: number;
  result: string;
  /** In words, with marks for units. */
  told: string[];
}
export interface Odds {
  attack: number;
  defence: number;
  items: OddsItem[];
  basic: string;
  shifts: OddsItem[];
  columns?: { hex: string; unit: string; dispersed: boolean; column: string }[];
  final: string;
  chances: { result: string; p: number }[];
  faces?: OddsFace[];
  /** The same if the defenders were ordered not to retreat; empty where that changes nothing. */
  held?: OddsFace[];
  legal?: boolean;
  reason?: string;
  rule?: string;
}
export interface Why {
  legal: boolean;
  reason?: string;
  rule?: string;
}
export interface Route {
  hexes: string[];
  cost: number;
  dispersed?: boolean;
}
export interface Reach {
  units?: string[];
  plain: { hex: string; cost: number }[];
  dispersed: { hex: string; cost: number }[];
  factor?: number;
  bonus?: number;
}
export interface Supply {
  told?: string;
  supplied: string[];
  fuel: string[];
  unsupplied_units: string[];
  fuel_short?: string[];
  pockets?: { units: string[]; loses: number }[];
}
export interface Rail {
  net: string[];
}

export interface Refusal {
  code: string;
  message: string;
  rule?: string | null;
  view?: View;
}
