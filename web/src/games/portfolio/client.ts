import type {} from "./shapes.ts";
import { Click, clicking, PointAt, withMouse } from "../../lib/ui/touch.ts";
import type { PortfolioCharts } from "../../lib/api/schema";
import type { StaticUnit, View } from "../../lib/net/types.ts";
import { progress, spokenGoal } from "../../lib/state/lessons.ts";
import { conditionOf } from "../../lib/state/table/words.ts";
import type { GameClient } from "../types.ts";
import Forces from "./Forces.svelte";
import { help, keys } from "./help.ts";
import Orders from "./Orders.svelte";
import Situation from "./Situation.svelte";

/** Function codes of MIL-STD-2525C by unit type. */
const FUNCTION: Record<string, string> = {
  armor: "UCA---",
  mechanized: "UCIZ--",
  motorized: "UCIM--",
  armored_cavalry: "UCRVA-",
  cavalry: "UCR---",
  infantry: "UCI---",
  rifle: "UCI---",
  mountain: "UCIO--",
  light: "UCIL--",
  shock: "UCI---",
  front: "UCI---",
};
const ECHELON: Record<string, string> = { corps: "J", army: "K", front: "L" };

const weatherLetters: Readonly<Record<string, string>> = { good: "G", mud: "M", snow: "S", hard_frost: "F" };

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
    armor: "Armor",
    mechanized: "Mechanized",
    motorized: "Motorized infantry",
    armored_cavalry: "Armored cavalry",
    cavalry: "Cavalry",
    infantry: "Infantry",
    rifle: "Rifle",
    mountain: "Mountain infantry",
    light: "Light infantry",
    shock: "Shock",
    front: "Front",
  },
  sizeNames: { corps: "corps", army: "army", front: "front" },
  terrainNames: { clear: "Clear", swamp: "Swamp", hills: "Hills", mountain: "Mountain", sea: "Sea", lake: "Lake" },
  sideNames: {
    sea: "Sea",
    lake: "Lake",
    river: "River",
    river_oneway: "River (one way)",
    kerch: "Kerch Strait",
    kronshtadt: "Kronshtadt channel",
    stalin: "Stalin Line",
    border: "Border",
    arctic_line: "Arctic Weather Line",
    impassable: "Impassable",
  },
  resultNames: {
    AE: "attackers lost, to the defence's factors",
    AD: "attackers Dispersed",
    X: "exchange",
    S: "all Spent",
    D1: "back 1-2, Spent; or 3-4, Dispersed",
    D4: "back up to 4, Dispersed",
    DX: "back up to 4, after an exchange if wanted",
    DE: "defenders eliminated",
    BR: "eliminated, and breakthrough",
  },
  countryNames: {
    SU: "Soviet Union",
    DE: "Germany",
    RO: "Romania",
    HU: "Hungary",
    FI: "Finland",
    BG: "Bulgaria",
    SE: "Sweden",
    TR: "Turkey",
  },
  verbNames: {
    place: "Place",
    at: "Put at",
    lift: "Take up",
    done: "Done",
    stop: "Stop the game",
    continue: "Play on",
    replace: "Replace",
    reinforce: "Reinforce",
    rail: "By rail",
    sea: "By sea",
    back: "Back",
    reduce: "Reduce a front",
    as: "Army in its place",
    eliminate: "Give up a unit",
    siberia: "Siberian Reserve",
    displace: "Displace",
    pick: "Pick a number",
    cast: "Cast the die",
    move: "Move",
    with: "Together with",
    to: "To",
    halt: "Halt",
    retreat: "Retreat",
    stand: "Stand",
    stand_all: "Stand for the rest",
    attack: "Attack",
    also: "Also attack",
    without: "Leave out",
    amphibious: "Amphibious tanks",
    ready: "Attack ready",
    drop: "Drop this attack",
    withdraw: "Cancel a planned attack",
    offensive: "Winter offensive",
    hold: "No retreat!",
    resolve: "Resolve",
    cancel: "Call off",
    lose: "Lose",
    exchange: "Exchange",
    decline: "Decline",
    exchange_first: "Exchange first",
    refrain: "No exchange",
    advance: "Advance",
    join: "Join attack",
    airlift: "Supply by air",
    pass: "Pass",
  },
  primary: ["ready", "done", "halt", "stand", "cast", "continue", "stand_all", "resolve"],
  autoAnswers: [
    {
      kind: "window",
      title: "Ask whether units shall retreat before an attack",
      usual: "near",
      ways: [
        ["near", "while one of mine could be attacked"],
        ["always", "always"],
        ["never", "never"],
      ],
      answer: (decision, way) =>
        way === "never"
          ? { action: "stand_all", note: "Your units stand, as you wished." }
          : way === "near" && !decision.hexes.length
            ? { action: "stand", note: "None of your units could be attacked: they stand." }
            : null,
    },
  ],
  turnAutoAnswers: {
    window: { action: "stand_all", label: "Stand until the turn ends", again: "Ask about retreats again" },
  },
  tips: {
    movement: `${Click} a framed unit, then a lit hex${withMouse("; or drag it there")}. ${PointAt} any hex to read why it is barred.`,
    moving: `${Click} a hex. Figures are the cost; beyond a broken edge the unit arrives Dispersed.`,
    attack: `${Click} an enemy hex framed in red to plan an attack on it.`,
    build_attack: `Add or leave out units by ${clicking} them, on the map or in the list; the odds follow.`,
    breakthrough: `${Click} an enemy hex to attack again with the units that broke through.`,
    window: `${Click} a framed unit to pull it back before the blow falls, or stand.`,
    no_retreat: `${Click} units that shall hold their ground through this player-turn.`,
    resolve: `${Click} a planned attack, on the map or in the list, to cast its die.`,
    may_retreat: `${Click} a unit to pull it back, or stand.`,
    retreat: `${Click} the next hex of the retreat.`,
    retreat_order: `${Click} the unit that retreats first.`,
    retreat_length: "Go on to a further hex, or halt here.",
    advance: `${Click} a unit to advance with it.`,
    advance_step: `${Click} the next hex of the advance, or halt.`,
    exchange: `${Click} the units that are exchanged, then confirm.`,
    losses: `${Click} the unit that is lost.`,
    isolation: `${Click} the unit that is lost.`,
    overstack: `${Click} the unit that is lost.`,
    displace: `${Click} the unit that makes room.`,
    displace_to: `${Click} the hex it goes to.`,
    replacement: `${Click} a framed unit to move it by rail or sea; units that can be built lie in the tray under Orders.`,
    replace: `${Click} the hex where it arrives.`,
    reinforce: `${Click} the hex where it arrives.`,
    rail: `${Click} the town where it detrains.`,
    sea: `${Click} the port it sails to.`,
    deployment: `${Click} a unit, on the map or in the tray under Orders, then the hex where it shall stand.`,
    deploying: `${Click} the hex where it stands.`,
    airlift: `${Click} the stack that is supplied by air, or pass.`,
    reduce: `${Click} the army in the list that takes its place.`,
    exchange_first: "In an exchange the defender gives up units, and the attackers lose as many factors.",
    pick: "Choose a number; the other side does not see it.",
  },
  doneNames: {
    movement: "End movement",
    attack: "End of announcing",
    replacement: "End this phase",
    deployment: "Set-up ready",
    "retreat_length:continue": "Go on",
    "airlift:pass": "No supply by air",
    no_retreat: "No more orders",
    exchange: "Exchange these",
    advance: "No more advances",
    breakthrough: "End breakthrough",
  },
  hereNames: {
    at: "Set down here",
    to: "Go here",
    attack: "Attack here",
    also: "Attack here as well",
    airlift: "Supply by air",
  },
  phaseNames: { deployment: "Set-up", deploying: "Set-up" },
  confirmVerbs: ["stop", "siberia", "decline"],
  destructiveVerbs: ["eliminate", "reduce"],
  asides: true,
  marches: ["moving"],
  leave: ["halt", "back", "drop"],
  asksBeforeEnd: ["movement", "replacement"],
  turnTrack: (view: View, charts: unknown) =>
    (charts as PortfolioCharts).turns
      .filter((t) => t.number >= (view.turn.first ?? 0) && t.number <= (view.goal?.last_turn ?? t.number))
      .map((t) => {
        const here = t.number === view.turn.number;
        const weather = here ? view.turn.weather : t.weather;
        return {
          number: t.number,
          label: t.date,
          weather: here ? view.turn.weather_title : weather ? t.title : "?",
          letter: weatherLetters[weather ?? ""] ?? "?",
          here,
        };
      }),
  standing: (view: View) =>
    view.goal
      ? {
          value: progress(view.goal),
          text: view.goal.parts.length === 1 ? "for the goal" : "parts of the goal",
          title: view.goal.text,
        }
      : {
          value: String(view.victory?.points ?? 0),
          text: `of ${view.victory?.needed ?? "?"} victory cities`,
          short: `/ ${view.victory?.needed ?? "?"}`,
          title: "Victory city points held by the Axis, and how many it needs",
        },
  spokenTurn: (v: View) => {
    const standing = v.goal
      ? spokenGoal(v.goal, v.turn.number)
      : `Axis victory points ${v.victory?.points} of ${v.victory?.needed}.`;
    return `${v.turn.label}, ${v.turn.weather_title}, ${v.phase.label}. ${standing}`;
  },
  tell: (s, u) => {
    const state = conditionOf(u);
    return `${s.name} ${s.af}-${s.df}-${s.mf}${state ? ` (${state})` : ""}`;
  },
  ground: (weather: string) => ({ snow: weather === "snow" ? "north" : "none", mud: weather === "mud" }),
  layers: [
    ["reach", "Reach and targets", "R"],
    ["zoc", "Zones of control", "Z"],
    ["supply", "Supply, rail and fuel", "S"],
    ["control", "Control of the land", "C"],
    ["front", "Front line", "F"],
    ["history", "Front in the war, on the latest known day", ""],
    ["weather", "Arctic Weather Line", "W"],
    ["hexIds", "Hex numbers", "X"],
    ["names", "Place names", ""],
  ],
  orders: Orders,
  listsAll: (table) => table.attacks.building === null,
  keys,
  help,
  notation: "move 39Pz N4-N6   attack N7: 39Pz,56Pz   ? N6",
  panels: [
    { id: "situation", title: "Situation", component: Situation },
    { id: "forces", title: "Forces", component: Forces },
  ],
};
