/** What the computer thinks of a match, as the server tells it. */

export interface Step {
  kind: "attack" | "move" | "rail" | "strike" | "mark";
  text: string;
  units: string[];
  path: string[];
  origins: string[];
  targets: string[];
  odds: string;
  chance: number | null;
  why: string;
  line: string;
  /** Another step has to come first. */
  waits?: boolean;
  /** Whether all steps before it have to come first. */
  ordered?: boolean;
}

export interface HintResult {
  player: string;
  headline: string;
  action: string;
  label: string;
  reasons: string[];
  steps: Step[];
  expectation: number | null;
}

/** The position at the start of a phase; `value` is how likely the first side is to win. */
export interface Point {
  ply: number;
  value: number;
  turn: string;
  phase: string;
  side: string;
}

export interface TurningPoint {
  ply: number;
  end: number;
  side: string;
  turn: string;
  phase: string;
  before: number;
  after: number;
  text: string;
  verdict: string;
  promised: number | null;
  made: number | null;
  hint: HintResult;
}

export interface Course {
  sides: string[];
  entries: number;
  seat: string | null;
  points: Point[];
  turns: TurningPoint[];
  complete: boolean;
}

export interface Job<T> {
  id: string;
  kind: "hint" | "course";
  ply: number;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  text: string;
  result: T | null;
}
