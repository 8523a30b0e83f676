import type { ClockTerms } from "../net/types.ts";

export type Lapse = ClockTerms["lapse"];

/** What a match is started with; minutes and days, as the server wants them. */
export interface ClockChoice {
  pace: ClockTerms["pace"];
  bank_minutes: number;
  turn_minutes: number;
  holiday_days: number;
  /** Without it the server decides. */
  lapse?: Lapse;
}

type Preset = Omit<ClockChoice, "lapse">;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY_MINUTES = 24 * 60;

const live = (bank_minutes: number, turn_minutes: number): Preset => ({
  pace: "live",
  bank_minutes,
  turn_minutes,
  holiday_days: 0,
});
const byDays = (bank: number, turn: number, holiday_days: number): Preset => ({
  pace: "days",
  bank_minutes: bank * DAY_MINUTES,
  turn_minutes: turn * DAY_MINUTES,
  holiday_days,
});

/** The clocks on offer, quick ones first. */
export const PRESETS: Record<string, Preset> = {
  quick: live(30, 10),
  live: live(60, 20),
  slow: live(120, 30),
  daily: byDays(5, 1, 7),
  days: byDays(10, 3, 14),
  weekly: byDays(21, 7, 21),
};

/** A clock on offer in a line. */
export function presetWords({ pace, bank_minutes, turn_minutes }: Preset): string {
  const [bank, turn] = [bank_minutes, turn_minutes].map((minutes) => lengthWords(minutes * MINUTE));
  return pace === "live" ? `live: ${bank}, ${turn} more a turn` : `${turn} a turn, ${bank} in reserve`;
}

export const LAPSES: Record<Lapse, string> = {
  open: "the seat is open to a substitute",
  computer: "the computer plays on",
  end: "the game is lost",
};

export function choiceOf(preset: string, lapse?: Lapse): ClockChoice | null {
  const found = PRESETS[preset];
  if (!found) return null;
  return lapse ? { ...found, lapse } : found;
}

/** Which of the clocks on offer was chosen; empty for none. */
export const presetOf = (clock: ClockChoice | null): string =>
  Object.entries(PRESETS).find(
    ([, known]) =>
      known.pace === clock?.pace &&
      known.bank_minutes === clock.bank_minutes &&
      known.turn_minutes === clock.turn_minutes &&
      known.holiday_days === clock.holiday_days,
  )?.[0] ?? "";

/** The clock that is proposed for a rated game; what happens when time is up the server decides. */
export const RATED_PRESET = "daily";
export const ratedClock = (clock: ClockChoice | null): ClockChoice | null => choiceOf(presetOf(clock) || RATED_PRESET);

/** A time as it is read at a glance. */
export function timeWords(ms: number): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}:${two(Math.floor((ms % MINUTE) / SECOND))}`;
  if (ms < 48 * HOUR) return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
  return `${Math.floor(ms / (24 * HOUR))} d ${Math.floor((ms % (24 * HOUR)) / HOUR)} h`;
}

/** A length of time in whole units, for what is agreed. */
function lengthWords(ms: number): string {
  const [n, unit] =
    ms % (24 * HOUR) === 0
      ? [ms / (24 * HOUR), "day"]
      : ms % HOUR === 0
        ? [ms / HOUR, "hour"]
        : [ms / MINUTE, "minute"];
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}

/** What is agreed about time, in a sentence. */
export function termsWords(terms: ClockTerms): string {
  const more = terms.turn_ms ? `, ${lengthWords(terms.turn_ms)} more with each turn` : "";
  const holidays = terms.holiday_ms ? `, and ${lengthWords(terms.holiday_ms)} of holidays` : "";
  const each = `Each has ${lengthWords(terms.bank_ms)} at first and at most${more}${holidays}.`;
  return `${each} When the time of a player is up, ${LAPSES[terms.lapse]}.`;
}
