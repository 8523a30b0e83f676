import type { GameEvent, LogEntry } from "../../../lib/net/types.ts";
import { wirEvents } from "../model/events.ts";

/** What a week of fighting cost a side. The figures of the enemy are known only when the game is open or over. */
interface Loss {
  infantry: number;
  mechanized: number;
  artillery: number;
  aircraft: number;
  units: number;
}
export const LOSS_KINDS = ["infantry", "mechanized", "artillery", "aircraft", "units"] as const;
type LossKind = (typeof LOSS_KINDS)[number];
export const lossNames: Readonly<Record<LossKind, string>> = {
  infantry: "Infantry strength",
  mechanized: "Mechanized strength",
  artillery: "Artillery points",
  aircraft: "Aircraft points",
  units: "Units wiped out",
};
/** What both sides see on the map. */
interface Seen {
  surrendered: number;
  bases: number;
  cities: number;
}
interface LossWeek {
  turn: string;
  loss: Partial<Record<string, Loss>>;
  seen: Record<string, Seen>;
}

const SIDES = ["axis", "soviet"] as const;
/** The side of a group. */
type SideOf = (group: string) => string;
const noLoss = (): Loss => ({ infantry: 0, mechanized: 0, artillery: 0, aircraft: 0, units: 0 });

/** The executed weeks of a log, in order. A side of which any figure is known has a figure for every week. */
export function lossesOf(entries: readonly LogEntry[], sideOf: SideOf): LossWeek[] {
  const weeks: LossWeek[] = [];
  const known = new Set<string>();
  for (const entry of entries) {
    if (!entry.events.some((e) => e.kind === "segment")) continue;
    const week: LossWeek = {
      turn: entry.turn,
      loss: {},
      seen: { axis: { surrendered: 0, bases: 0, cities: 0 }, soviet: { surrendered: 0, bases: 0, cities: 0 } },
    };
    for (const event of wirEvents(entry.events)) {
      if (event.kind === "losses") {
        const { side, ...loss } = event.data;
        known.add(side);
        week.loss[side] = loss;
      } else if (event.kind === "surrenders") week.seen[sideOf(event.data.group)]!.surrendered += 1;
      else if (event.kind === "air_destroyed") week.seen[sideOf(event.data.group)]!.bases += 1;
      else if (event.kind === "city") week.seen[event.data.side === "axis" ? "soviet" : "axis"]!.cities += 1;
    }
    weeks.push(week);
  }
  for (const week of weeks) for (const side of known) week.loss[side] ??= noLoss();
  return weeks;
}

/** What a week came to for one side. */
export interface SideOfWeek {
  side: string;
  /** Null where it is hidden from this seat. */
  loss: Loss | null;
  /** Groups that have surrendered, been destroyed on their field or lost their last unit. */
  gone: GameEvent[];
  /** Cities that the other side has taken from it. */
  lost: GameEvent[];
}

/** What matters in the report of a week, by side: figures where they are known, lost groups and cities by name. */
export function leadOf(entry: LogEntry, sideOf: SideOf): SideOfWeek[] {
  const [week] = lossesOf([entry], sideOf);
  const events = wirEvents(entry.events);
  return SIDES.map((side) => ({
    side,
    loss: week?.loss[side] ?? null,
    gone: events.filter(
      (e) =>
        (e.kind === "surrenders" || e.kind === "air_destroyed" || e.kind === "group_gone") &&
        sideOf(e.data.group) === side,
    ),
    lost: events.filter((e) => e.kind === "city" && e.data.side !== side),
  }));
}

export function totalOf(weeks: readonly LossWeek[], side: string): Loss | null {
  if (!weeks.some((w) => w.loss[side])) return null;
  const sum = noLoss();
  for (const w of weeks) for (const k of LOSS_KINDS) sum[k] += w.loss[side]?.[k] ?? 0;
  return sum;
}

/** Each figure with all before it. */
export function addUp(values: readonly (number | null)[]): (number | null)[] {
  let sum = 0;
  return values.map((v) => (v === null ? null : (sum += v)));
}
