import type { StaticGame } from "../lib/net/types.ts";
import type { GameClient, Played } from "./types.ts";

interface Entry {
  /** Fetched when a match of the game is opened. */
  client: () => Promise<GameClient>;
  /** Whether two sides of a hex lie level, as in the picture on the game's card. */
  flat?: boolean;
}

const games: Record<string, Entry> = {
  portfolio: { client: async () => (await import("./portfolio/client.ts")).portfolio },
  wir: { client: async () => (await import("./wir/client.ts")).wir, flat: true },
};

/** The game whose rules a link opens where no game is named. */
export const DEFAULT_GAME = "portfolio";

/** The client of a game: its own, or the plain one, which draws what every game says. */
export async function clientOf(game: string, played: Played): Promise<GameClient> {
  const own = games[game];
  return own ? own.client() : (await import("./plain/client.ts")).plainClient(game, played);
}

/** Map and pieces with what the client of the game adds to them. */
export const completed = async (game: string, source: StaticGame): Promise<StaticGame> =>
  (await games[game]?.client())?.fixed?.(source) ?? source;

export const flatHexes = (game: string): boolean => games[game]?.flat ?? false;
