import { api } from "../net/api.ts";
import { remember } from "./match/keys.ts";

/** Starts a lesson against the computer and opens it. */
export async function startLesson(game: string, lesson: string): Promise<void> {
  const made = await api.create({ game, lesson });
  remember(made.id, made.keys);
  location.hash = `#/match/${made.id}`;
}
