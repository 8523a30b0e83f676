import type { OpenTable, ScenarioInfo } from "../net/types.ts";

export type Pace = OpenTable["free"][number]["pace"];
export type Level = OpenTable["free"][number]["level"];

export const PACES: Record<Pace, string> = {
  live: "now, in one sitting",
  day: "about a turn a day",
  week: "at any pace",
};
export const LEVELS: Record<Level, string> = {
  any: "anybody",
  first: "somebody who is new to it",
  some: "somebody who has played it before",
  much: "somebody who plays it often",
};

export type Length = "any" | "short" | "evening" | "long";
export const LENGTHS: Record<Length, string> = {
  any: "any length",
  short: "up to an hour",
  evening: "up to four hours",
  long: "more than four hours",
};

/** Whether a scenario takes as long as is asked for; one of which nobody has said how long it takes fits none. */
export function lasts(scenario: ScenarioInfo | undefined, length: Length): boolean {
  const hours = scenario?.hours ?? 0;
  if (length === "any") return true;
  if (!hours) return false;
  return length === "short" ? hours <= 1 : length === "evening" ? hours <= 4 : hours > 4;
}

export interface Filter {
  game: string;
  side: string;
  length: Length;
  pace: Pace | "";
  level: Level | "";
  rated: "" | "rated" | "near" | "friendly";
}

export const ALL: Filter = { game: "", side: "", length: "any", pace: "", level: "", rated: "" };

/** As far apart, in points of rating, the better one is expected to win three games of four. */
const NEAR = 200;

function countsAs(table: OpenTable, wanted: Filter["rated"], own: Readonly<Record<string, number>>): boolean {
  if (wanted !== "near") return !wanted || table.rated === (wanted === "rated");
  const mine = own[table.game];
  return mine !== undefined && table.host !== null && Math.abs(table.host.rating - mine) <= NEAR;
}

/** The tables a filter lets through, with those of their free seats that it lets through; `own`: one's ratings, by game. */
export function filtered(
  tables: readonly OpenTable[],
  filter: Filter,
  scenarioOf: (table: OpenTable) => ScenarioInfo | undefined,
  sideOf: (table: OpenTable, seat: string) => string,
  own: Readonly<Record<string, number>> = {},
): OpenTable[] {
  return tables
    .filter((t) => (!filter.game || t.game === filter.game) && lasts(scenarioOf(t), filter.length))
    .filter((t) => countsAs(t, filter.rated, own))
    .map((t) => ({
      ...t,
      free: t.free.filter(
        (f) =>
          (!filter.side || sideOf(t, f.seat) === filter.side) &&
          (!filter.pace || f.pace === filter.pace) &&
          (!filter.level || f.level === "any" || f.level === filter.level),
      ),
    }))
    .filter((t) => t.free.length);
}
