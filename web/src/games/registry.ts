import { portfolio } from "./portfolio/client.ts";
import type { GameClient } from "./types.ts";

const clients: Record<string, GameClient> = { portfolio };

export const clientOf = (game: string): GameClient => clients[game] ?? portfolio;
