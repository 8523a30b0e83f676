import type { StaticUnit, View } from "../../lib/net/types.ts";
import type { GameClient } from "../types.ts";
import Forces from "./Forces.svelte";
import Situation from "./Situation.svelte";

/** Function codes of MIL-STD-2525C by unit type. */
const FUNCTION: Record<string, string> = {
  armor: "UCA---", mechanized: "UCIZ--", motorized: "UCIM--", armored_cavalry: "UCRVA-", cavalry: "UCR---",
  infantry: "UCI---", rifle: "UCI---", mountain: "UCIO--", light: "UCIL--", shock: "UCI---", front: "UCI---",
};
const ECHELON: Record<string, string> = { corps: "J", army: "K", front: "L" };

const dark = "#1d1d1b";

export const portfolio: GameClient = {
  id: "portfolio",
  sidc: (u: StaticUnit) => `SFGP${FUNCTION[u.type] ?? "UCI---"}-${ECHELON[u.size] ?? "J"}---`,
  badge: (u: StaticUnit) => u.mark ?? (u.type === "shock" ? "Sh" : ""),
  nations: {
    DE: { name: "German", letter: "", body: "#b4bcb2", band: "#333d3a", ink: dark },
    RO: { name: "Romanian", letter: "R", body: "#d8c887", band: "#5c4d17", ink: dark },
    HU: { name: "Hungarian", letter: "H", body: "#c3c99a", band: "#4b5223", ink: dark },
    IT: { name: "Italian", letter: "I", body: "#a9c9b4", band: "#235240", ink: dark },
    FI: { name: "Finnish", letter: "F", body: "#dde6ec", band: "#2f5877", ink: dark },
    BG: { name: "Bulgarian", letter: "B", body: "#cfc0b4", band: "#5b4334", ink: dark },
    SU: { name: "Soviet", letter: "", body: "#dba48e", band: "#862b20", ink: dark },
  },
  sides: {
    axis: { name: "Axis", band: "#333d3a", round: false },
    soviet: { name: "Soviet", band: "#862b20", round: true },
  },
  typeNames: {
    armor: "Armor", mechanized: "Mechanized", motorized: "Motorized infantry", armored_cavalry: "Armored cavalry",
    cavalry: "Cavalry", infantry: "Infantry", rifle: "Rifle", mountain: "Mountain infantry", light: "Light infantry",
    shock: "Shock", front: "Front",
  },
  sizeNames: { corps: "corps", army: "army", front: "front" },
  terrainNames: { clear: "Clear", swamp: "Swamp", hills: "Hills", mountain: "Mountain", sea: "Sea", lake: "Lake" },
  sideNames: {
    sea: "Sea", lake: "Lake", river: "River", river_oneway: "River (one way)", kerch: "Kerch Strait", kronshtadt: "Kronshtadt channel",
    stalin: "Stalin Line", border: "Border", arctic_line: "Arctic Weather Line", impassable: "Impassable",
  },
  countryNames: {
    SU: "Soviet Union", DE: "Germany", RO: "Romania", HU: "Hungary", FI: "Finland", BG: "Bulgaria", SE: "Sweden", TR: "Turkey",
  },
  verbNames: {
    place: "Place", at: "Put at", lift: "Take back", done: "Done", stop: "Stop the game", continue: "Play on", replace: "Replace",
    reinforce: "Reinforce", rail: "By rail", sea: "By sea", back: "Back", reduce: "Reduce a front", as: "As", eliminate: "Remove for good",
    siberia: "Siberian Reserve", displace: "Displace", pick: "Pick a number", cast: "Cast the die", move: "Move", with: "Together with",
    to: "To", halt: "Halt", retreat: "Retreat", stand: "Stand", stand_all: "Stand for the rest", attack: "Attack", also: "Also attack",
    without: "Leave out", amphibious: "Amphibious tanks", ready: "Attack ready", drop: "Drop this attack", withdraw: "Cancel a planned attack",
    offensive: "Winter offensive", hold: "No retreat!", resolve: "Resolve", cancel: "Call off", lose: "Lose", exchange: "Exchange",
    decline: "Decline", exchange_first: "Exchange first", refrain: "No exchange", advance: "Advance", join: "Join attack",
    airlift: "Supply by air", pass: "Pass",
  },
  primary: [
    "ready", "done", "halt", "stand", "cast", "continue", "pass", "refrain", "stand_all", "decline", "exchange_first",
    "siberia", "resolve", "back", "drop", "stop",
  ],
  leave: ["halt", "back", "drop"],
  attackVerbs: ["also", "with", "without", "amphibious", "ready", "drop"],
  turnTrack: (view: View, charts: Record<string, unknown>) =>
    ((charts["turns"] ?? []) as { number: number; date: string; title: string }[])
      .filter((t) => t.number >= (view.turn.first ?? 0))
      .map((t) => ({ number: t.number, label: t.date, weather: t.title, here: t.number === view.turn.number })),
  panels: [
    { id: "situation", title: "Situation", component: Situation },
    { id: "forces", title: "Forces", component: Forces },
  ],
};
