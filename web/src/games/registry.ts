import { portfolio } from "./portfolio/client.ts";
import type { GameClient } from "./types.ts";
import { wir } from "./wir/client.ts";

const clients: Record<string, GameClient> = { portfolio, wir };

export const clientOf = (game: string): GameClient => clients[game] ?? portfolio;
