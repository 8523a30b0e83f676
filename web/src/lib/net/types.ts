/** Shapes of the server protocol. The client draws them and adds no rule. */

export type Side = string;

export interface Choice {
  id: string;
  title: string;
  help?: string;
}
export interface OptionInfo {
  id: string;
  title: string;
  help: string;
  rule: string;
  default: string;
  choices: Choice[];
}
export interface ScenarioInfo {
  id: string;
  title: string;
  summary: string;
  date: string;
}
export interface SeatInfo {
  id: string;
  side: Side;
  title: string;
}
export interface LevelInfo {
  id: string;
  title: string;
  summary: string;
}
export interface BotInfo {
  id: string;
  title: string;
  summary: string;
  levels?: LevelInfo[];
}

/** A small position with a goal of its own; `seat` is the learner's. */
export interface LessonInfo {
  id: string;
  title: string;
  summary: string;
  goal: string;
  seat: string;
  minutes: number;
  turns: number;
  opponent: string;
}

export interface GameInfo {
  id: string;
  title: string;
  summary: string;
  scenarios: ScenarioInfo[];
  options: OptionInfo[];
  seats: Record<string, SeatInfo[]>;
  bots: BotInfo[];
  lessons?: LessonInfo[];
  /** Whether the computer can be asked for hints and for the course of a match. */
  analysis?: boolean;
}

export interface Controller {
  kind: "human" | "bot";
  bot?: string;
  name?: string;
}

export interface MatchSummary {
  id: string;
  title: string;
  game: string;
  scenario: string;
  turn_label: string;
  phase_label: string;
  to_move: string | null;
  over: boolean;
  updated: string | number;
  controllers: Record<string, Controller>;
  /** Seats for which somebody is still to come. */
  waiting?: string[];
  /** For the owner of the machine: the seats he may sit down in. */
  owned?: string[];
  /** Seats to which this browser has keys. */
  mine?: string[];
}

/** How a seat stands: held by who asks, by somebody else, by nobody yet, or by the computer. */
export interface SeatState {
  state: "yours" | "person" | "waiting" | "computer";
  silent: boolean;
  link: boolean;
  inviter: string[];
}
export interface SeatsInfo {
  seats: Record<string, SeatState>;
  owner: boolean;
  alone: boolean;
  opened: boolean;
  hints: boolean;
  /** Seats that have agreed, by topic. */
  agreed: Record<string, string[]>;
}

/** What a link to a seat leads to. */
export interface InvitationInfo {
  match: string;
  title: string;
  game: string;
  scenario: string;
  options: Record<string, string>;
  seat: string;
  kind: "guest" | "device";
  spent: boolean;
  inviter: string[];
  waiting: string[];
  controllers: Record<string, Controller>;
  hints: boolean;
  ply: number;
  over: boolean;
  opened: boolean;
  /** The digest of the seed that the guest's share is added to; empty if it is drawn only when he comes. */
  dice: string;
}

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

export interface ViewUnit {
  id: string;
  hex: string | null;
  where: string;
  spent?: boolean;
  dispersed?: boolean;
  moved?: boolean;
  attacked?: boolean;
  hold?: boolean;
  fuel_short?: boolean;
  /** Said of pieces that are not in the static list: those of which only kind and side are known. */
  side?: Side;
  type?: string;
  nation?: string;
  name?: string;
}

export interface GameEvent {
  kind: string;
  text: string;
  data?: unknown;
}
export interface LogEntry {
  ply: number;
  seat: string | null;
  action: string;
  events: GameEvent[];
  turn?: number | string;
  phase?: string;
}

export interface DecisionOption {
  action: string;
  verb: string;
  units: string[];
  hex?: string | null;
  number?: number | null;
  label: string;
  cost?: number | null;
  dispersed?: boolean;
  rule?: string | null;
  /** What this answer throws away for good, in words; such an answer is never the big button, and is asked twice. */
  gives_up?: string;
}
export interface Decision {
  seat: string;
  side?: Side;
  mine: boolean;
  prompt: string;
  rule: string;
  kind: string;
  options: DecisionOption[];
  auto?: boolean;
  /** What the question is about: units on the move, hexes under the attack being built. */
  units: string[];
  hexes: string[];
}

export interface Attack {
  n: number;
  targets: string[];
  units: string[];
  odds?: string | null;
  state?: string;
}

export interface GoalPart {
  text: string;
  done: number;
  needed: number;
}
/** What a lesson asks of one side, in place of the victory conditions. */
export interface Goal {
  side: Side;
  text: string;
  last_turn: number;
  last_date: string;
  hexes: string[];
  units: string[];
  parts: GoalPart[];
  reached: boolean;
}

/** Where the dice come from, from an entry on: seed and salt are told when the game is over. */
export interface DiceSource {
  from: number;
  made: "drawn" | "chosen" | "plain";
  digest: string;
  seed?: string;
  salt?: string;
  /** Seat, 128 bits in hexadecimal, and who drew them: "player" or "server". */
  shares: [string, string, string][];
  awaits?: string[];
  skip?: Record<string, number>;
}
/** `sound`: nothing speaks against the dice; `whole`: all of them can be confirmed. */
export interface DiceInfo {
  digest: string;
  seed: string | null;
  made: DiceSource["made"];
  awaits: string[];
  sources: DiceSource[];
  sound: boolean;
  whole: boolean;
  words: string;
}

export interface View {
  match: string;
  /** Names what is shown, so that the server can tell what changed since; past positions have none. */ tag?: string;
  game: string;
  scenario: string;
  title: string;
  version: number;
  seat: string | null;
  at?: number | null;
  ply: number;
  options?: Record<string, string>;
  dice?: DiceInfo;
  undo_offers?: Record<string, number>;
  turn: {
    number: number;
    label: string;
    weather: string;
    weather_title?: string;
    last?: number | null;
    first?: number;
  };
  phase: { id: string; label: string; rule: string; reserve?: number | null; side: Side | null };
  order?: Side[];
  units: ViewUnit[];
  control: Record<Side, string[]>;
  points: Record<Side, Record<string, number>>;
  victory: { held: string[]; needed: number; points: number; [k: string]: unknown };
  seas: Record<string, Side | null>;
  siberia?: Record<string, unknown> | null;
  offensive?: Record<string, unknown> | null;
  attacks: Attack[];
  last_events: LogEntry[];
  decision: Decision | null;
  outcome: { winner: Side | null; level: string; reason: string; rule: string } | null;
  lesson?: string | null;
  goal?: Goal | null;
  /** The version of the game's data the match is played with to its end. */
  data?: string;
  /** So many entries lie before a change of the rules; one cannot go back to them. */
  rules_changed?: number | null;
  can_undo: boolean;
  controllers: Record<string, Controller>;
}

export interface Paragraph {
  id: string;
  title: string;
  chapter?: string;
  text?: string;
  ruling?: string;
  options?: string[];
  code?: string[];
  sources?: string;
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
