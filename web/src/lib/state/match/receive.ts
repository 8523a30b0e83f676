import type { LiveMessage } from "../../net/live.ts";
import { keysOf } from "./keys.ts";
import type { MatchStore } from "./match.svelte.ts";

/** What a message of the server changes in the match shown. */
export function receive(match: MatchStore, message: LiveMessage): void {
  if (message.type === "view") match.incoming(match.shownBefore.keep(message.view));
  if (message.type === "change") {
    const view = match.shownBefore.change(message.change);
    if (view) match.incoming(view);
    else match.connection.askForView();
  }
  if (message.type === "thinking")
    match.thinking = message.done !== undefined && message.done === message.total ? null : message;
  if (message.type === "seats") match.seatNews += 1;
  if (message.type === "talk") match.talkNews += 1;
  if (message.type === "map_notes") match.mapNotesNews += 1;
  if (message.type === "error" && message.code === "bad_key") shutOut(match);
  else if (message.type === "error" && message.message) match.say("error", message.message);
}

/** The key of this window is no longer valid: its holder has renewed it, or the seat has another holder. */
function shutOut(match: MatchStore): void {
  const kept = keysOf(match.id);
  // it was renewed in another window of this browser, which has left the new key
  if (kept[match.seat] && kept[match.seat] !== match.key) {
    match.keys = kept;
    match.connection.open();
    return;
  }
  match.close();
  match.failed =
    "This seat is no longer open in this window: its key was renewed, or the seat was given to somebody else.";
}
