import { api } from "../net/api.ts";
import type { GameInfo, ScenarioInfo } from "../net/types.ts";
import { nameOf, read } from "../opponents/names.ts";
import { isText, kept, tableOf } from "./storage.ts";
import { remember } from "./match/keys.ts";
import { byLength } from "../ui/scenarios.ts";
import { usualSeats } from "./sides.ts";

/** Starts a lesson against the computer and opens it. */
export async function startLesson(game: string, lesson: string): Promise<void> {
  const made = await api.create({ game, lesson });
  remember(made.id, made.keys);
  location.hash = `#/match/${made.id}`;
}

/** What this browser chose last for each game: the scenario it began, and the opponent. */
const SCENARIOS = "rasputitsa.scenarios";
const OPPONENTS = "rasputitsa.opponents";

const chosen = (key: string): Record<string, string> => tableOf(kept(key), isText);

function note(key: string, game: string, choice: string): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...chosen(key), [game]: choice }));
  } catch {
    /* without storage the usual choice is offered again */
  }
}

export const noteBegun = (game: string, scenario: string): void => note(SCENARIOS, game, scenario);
export const noteOpponent = (game: string, bot: string): void => note(OPPONENTS, game, bot);

/** Whom a game is played against with one click: the opponent chosen last, or the usual one as it begins. */
export function usualBot(game: GameInfo): string {
  const last = chosen(OPPONENTS)[game.id];
  if (last && read(last, game.bots)) return last;
  const bot = game.bots.find((b) => b.usual) ?? game.bots.at(-1);
  return bot ? nameOf(bot, bot.first) : "random";
}

/** Longer ones are for those who choose them. */
const EVENING_HOURS = 2;

/**
 * What is played with one click, and chosen to begin with in the form of a new game: the scenario that was begun
 * last, or the first of an evening.
 */
export const usualScenario = (game: GameInfo): ScenarioInfo =>
  game.scenarios.find((s) => s.id === chosen(SCENARIOS)[game.id]) ??
  game.scenarios.find((s) => s.hours > 0 && s.hours <= EVENING_HOURS) ??
  byLength(game)[0]!;

/** Starts a scenario and opens it; without a side, both seats are played at this screen. */
export async function startScenario(game: GameInfo, scenario: string, side: string, bot: string): Promise<void> {
  const seats = usualSeats(game);
  const controllers = Object.fromEntries(
    seats.map((s) => [s.id, !side || s.side === side ? { kind: "human" as const } : { kind: "bot" as const, bot }]),
  );
  const made = await api.create({ game: game.id, scenario, options: {}, players: seats.length, controllers });
  noteBegun(game.id, scenario);
  remember(made.id, made.keys);
  location.hash = `#/match/${made.id}`;
}
