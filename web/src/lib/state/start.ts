import { api } from "../net/api.ts";
import type { GameInfo, ScenarioInfo } from "../net/types.ts";
import { remember } from "./match/keys.ts";

/** Starts a lesson against the computer and opens it. */
export async function startLesson(game: string, lesson: string): Promise<void> {
  const made = await api.create({ game, lesson });
  remember(made.id, made.keys);
  location.hash = `#/match/${made.id}`;
}

/** Who plays a game best of the computer players that are offered first. */
export const usualBot = (game: GameInfo): string =>
  (game.bots.find((b) => b.usual) ?? game.bots.at(-1))?.id ?? "random";

/** The scenario of each game that this browser began last. */
const KEY = "rasputitsa.scenarios";

function begun(): Record<string, string> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string> | null) ?? {};
  } catch {
    return {};
  }
}

export function noteBegun(game: string, scenario: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...begun(), [game]: scenario }));
  } catch {
    /* without storage the usual scenario is offered again */
  }
}

/** Longer ones are for those who choose them. */
const EVENING_HOURS = 2;

/** What is played with one click: the scenario that was begun last, or the first of an evening. */
export const usualScenario = (game: GameInfo): ScenarioInfo =>
  game.scenarios.find((s) => s.id === begun()[game.id]) ??
  game.scenarios.find((s) => s.hours > 0 && s.hours <= EVENING_HOURS) ??
  game.scenarios[0]!;

/** Starts a scenario and opens it; without a side, both seats are played at this screen. */
export async function startScenario(game: GameInfo, scenario: string, side: string, bot: string): Promise<void> {
  const controllers = Object.fromEntries(
    (game.seats["2"] ?? []).map((s) => [
      s.id,
      !side || s.side === side ? { kind: "human" as const } : { kind: "bot" as const, bot },
    ]),
  );
  const made = await api.create({ game: game.id, scenario, options: {}, players: 2, controllers });
  noteBegun(game.id, scenario);
  remember(made.id, made.keys);
  location.hash = `#/match/${made.id}`;
}
