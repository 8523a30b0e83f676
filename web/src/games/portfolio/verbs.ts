import type { MatchStore } from "../../lib/state/match/match.svelte.ts";
import type { Building } from "../../lib/state/table/attacks.svelte.ts";
import type { VerbKinds } from "../../lib/state/verbKinds.ts";

/** What the verbs of this game mean to the shared parts of the client. */
export const verbKinds: VerbKinds = {
  setsDown: ["to", "at", "as"],
  marches: "to",
  takesUp: "move",
  joins: "with",
  putsBack: "back",
  ends: "done",
  attacks: "attack",
  extends: "also",
  hostile: ["attack", "also", "resolve", "withdraw"],
};

/** Verbs that give a unit up. */
export const destructiveVerbs = ["eliminate", "reduce"];
/** Questions whose end is asked twice while units can still act. */
export const asksBeforeEnd = ["movement", "replacement"];

/** An attack is put together as long as it can be declared ready or dropped. */
export function building({ index, view }: MatchStore): Building | null {
  const options = (verb: string) => index.verbs.find((v) => v.verb === verb)?.options ?? [];
  if (!view || !(options("ready").length || options("drop").length)) return null;
  return { targets: view.decision?.hexes ?? [], units: options("without").flatMap((o) => o.units) };
}
