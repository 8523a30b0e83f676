import type { MatchStore } from "../state/match/match.svelte.ts";
import { waiting } from "./waiting.svelte.ts";

/** Opens the next match in which it is one's own turn, as things stand now. */
export async function openNext(match: MatchStore): Promise<void> {
  await waiting.look();
  const { next } = waiting;
  if (next) location.hash = `#/match/${next.id}`;
  else match.say("info", "It is your turn in no other match of this browser.");
}
