import { api } from "../net/api.ts";
import type { GameInfo } from "../net/types.ts";
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

/** Starts a scenario and opens it; without a side, both seats are played at this screen. */
export async function startScenario(game: GameInfo, scenario: string, side: string, bot: string): Promise<void> {
  const controllers = Object.fromEntries(
    (game.seats["2"] ?? []).map((s) => [
      s.id,
      !side || s.side === side ? { kind: "human" as const } : { kind: "bot" as const, bot },
    ]),
  );
  const made = await api.create({ game: game.id, scenario, options: {}, players: 2, controllers });
  remember(made.id, made.keys);
  location.hash = `#/match/${made.id}`;
}
