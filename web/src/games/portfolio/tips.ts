import type { Tip } from "../types.ts";
import type { Table } from "../../lib/state/table/table.svelte.ts";
import { PointAt, withMouse } from "../../lib/ui/touch.ts";

const OTHER_WAYS = withMouse("; with Shift, by all adjacent units. Or drag attackers there");
const CHOOSE_TARGET = `Choose an enemy hex framed in red to attack it${OTHER_WAYS}.`;

/** What to click, by the kind of question. */
export const tips: Readonly<Record<string, Tip>> = {
  movement: `Choose a framed unit, then a lit hex${withMouse("; or drag it there")}. ${PointAt} any hex to read why it is barred.`,
  moving: {
    text: "Choose a hex, or the unit itself to halt. Figures are the cost, D and a broken edge a warning.",
    sign: "dispersing",
  },
  attack: CHOOSE_TARGET,
  build_attack: "Add or leave out units by choosing them, on the map or in the list; the odds follow.",
  breakthrough: "Choose an enemy hex to attack again with the units that broke through.",
  window: "Choose a framed unit to pull it back before the blow falls, or stand.",
  no_retreat: { text: "Choose units that are to hold their ground.", sign: "hold" },
  resolve: "Choose a planned attack, on the map or in the list, to cast its die; or have them resolved in turn.",
  may_retreat: "Choose a unit to pull it back, or stand.",
  retreat: "Choose the next hex of the retreat.",
  retreat_order: "Choose the unit that retreats first.",
  retreat_length: "Go on to a further hex, or halt here.",
  advance: `Choose a unit to advance with it${withMouse(", or drag it to the hex where it is to stop")}.`,
  advance_step: "Choose the next hex of the advance, a farther one where it is to stop, or the unit itself to halt.",
  exchange: "Choose the units that are exchanged, then confirm.",
  losses: "Choose the unit that is lost.",
  isolation: "Choose the unit that is lost.",
  overstack: "Choose the unit that is lost.",
  displace: "Choose the unit that makes room.",
  displace_to: "Choose the hex it goes to.",
  replacement: "Choose a framed unit to move it by rail or sea; units that can be built lie in the tray under Orders.",
  replace: "Choose the hex where it arrives.",
  reinforce: "Choose the hex where it arrives.",
  rail: "Choose the town where it detrains.",
  sea: "Choose the port it sails to.",
  deployment: "Choose a unit, on the map or in the tray under Orders, then the hex where it is to stand.",
  deploying: "Choose the hex where it stands.",
  airlift: "Choose the stack that is supplied by air, or pass.",
  reduce: "Choose the army in the list that takes its place.",
  exchange_first: { sign: "exchange" },
  pick: { text: "Choose a number.", sign: "picked_number" },
};

/** What a phase has left to offer, where that is nothing, or what is offered once in a game. */
export function tip(table: Table): Tip {
  const offers = (verb: string): boolean => table.match.index.verbs.some((v) => v.verb === verb);
  switch (table.match.view?.decision?.kind) {
    case "movement":
      return offers("move") ? "" : "No unit can move any more in this phase.";
    case "attack":
      if (!offers("attack")) return "No further hex can be attacked in this phase.";
      return offers("offensive") ? { text: CHOOSE_TARGET, sign: "offensive" } : "";
    case "replacement":
      return offers("siberia") ? { text: "Framed units go by rail or sea.", sign: "siberia" } : "";
  }
  return "";
}
