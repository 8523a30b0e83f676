import type { GameClient } from "./types.ts";

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

export const clientOf = (game: string): Promise<GameClient> => (games[game] ?? games[DEFAULT_GAME]!).client();

export const flatHexes = (game: string): boolean => games[game]?.flat ?? false;
