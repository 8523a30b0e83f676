import type { GameClient } from "./types.ts";

/** Each game's client is fetched when one of its matches is opened. */
const clients: Record<string, () => Promise<GameClient>> = {
  portfolio: async () => (await import("./portfolio/client.ts")).portfolio,
  wir: async () => (await import("./wir/client.ts")).wir,
};

export const clientOf = (game: string): Promise<GameClient> => (clients[game] ?? clients["portfolio"]!)();
