import type { BotInfo } from "../net/types.ts";

export const HUMAN = "human";
/** Somebody else, who comes by invitation. */
export const GUEST = "guest";
const NORMAL = "normal";

interface Chosen {
  bot: BotInfo;
  level: string;
}

/** The player and strength that a name such as "planner" or "planner-easy" stands for. */
export function read(name: string, bots: readonly BotInfo[]): Chosen | null {
  for (const bot of bots) {
    if (name === bot.id) return { bot, level: bot.levels?.length ? NORMAL : "" };
    const level = bot.levels?.find((l) => name === `${bot.id}-${l.id}`);
    if (level) return { bot, level: level.id };
  }
  return null;
}

export const nameOf = (bot: BotInfo, level: string): string =>
  !level || level === NORMAL ? bot.id : `${bot.id}-${level}`;

/** "Planner, easy": a computer player as it is called in lists. */
export function titleOf(name: string, bots: readonly BotInfo[]): string {
  const chosen = read(name, bots);
  if (!chosen) return name;
  const level = chosen.bot.levels?.find((l) => l.id === chosen.level);
  return level && level.id !== NORMAL ? `${chosen.bot.title}, ${level.title.toLowerCase()}` : chosen.bot.title;
}

/** The strength that a change of player keeps, where the new one has it. */
export const kept = (bot: BotInfo, level: string): string => (bot.levels?.some((l) => l.id === level) ? level : NORMAL);
