import type {} from "./shapes.ts";
import type { View } from "../../lib/net/types.ts";
import { goalStanding, spokenGoal } from "../../lib/state/lessons.ts";
import { conditionOf } from "./condition.ts";
import { eventKinds } from "./eventKinds.ts";
import type { GameClient } from "../types.ts";
import { ask, oddsOfAll } from "./ask.ts";
import { ownCharts } from "./charts.ts";
import { attackByAll, canStrike, strike } from "./attacking.ts";
import Forces from "./Forces.svelte";
import { help, keys } from "./help.ts";
import { mapKey } from "./mapKey.ts";
import Orders from "./Orders.svelte";
import Situation from "./Situation.svelte";
import { names } from "./names.ts";
import { tip, tips } from "./tips.ts";
import { asksBeforeEnd, building, destructiveVerbs, verbKinds } from "./verbs.ts";

const weatherLetters: Readonly<Record<string, string>> = { good: "G", mud: "M", snow: "S", hard_frost: "F" };

export const portfolio: GameClient = {
  id: "portfolio",
  ...names,
  sideLooks: {
    river_oneway: "river",
    kerch: "strait",
    kronshtadt: "strait",
    stalin: "rampart",
    arctic_line: "weather line",
  },
  coldZone: (hex) => hex.arctic ?? false,
  follows: ["advance", "advance_step"],
  ways: async (table) => (await ask(table, "advance")).ways,
  clickForAll: attackByAll,
  canStrike,
  strike,
  wayLine: (units, hexes) => `move ${units.join("+")} ${hexes.join("-")}`,
  offered: oddsOfAll,
  inTurn: { resolve: "Resolve next" },
  primary: ["ready", "done", "halt", "stand", "cast", "continue", "stand_all", "resolve"],
  autoAnswers: [
    {
      kind: "window",
      title: "Ask whether units should retreat before an attack",
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
    {
      kind: "retreat_length",
      title: "Ask how far a beaten enemy is driven",
      usual: "loss",
      taught: true,
      ways: [
        ["loss", "unless halting would cost an advance"],
        ["always", "always"],
      ],
      answer: (decision, way) =>
        way === "loss" && decision.options.some((o) => o.verb === "halt" && o.gives_up)
          ? { action: "continue", note: "The enemy is driven on: halting would have cost an advance." }
          : null,
    },
  ],
  turnAutoAnswers: {
    window: {
      answer: () => "stand_all",
      label: "Stand until the turn ends",
      again: "Ask about retreats again",
      until: "turn",
    },
    resolve: {
      answer: (decision) => decision.options.find((o) => o.verb === "resolve")?.action,
      label: "Resolve all",
      again: "Stop after this attack",
      until: "phase",
    },
  },
  tip,
  tips,
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
  destructiveVerbs,
  asides: true,
  marches: ["moving"],
  leave: ["halt", "back", "drop"],
  asksBeforeEnd,
  turnTrack: (view, charts) =>
    ownCharts(charts)
      .turns.filter((t) => t.number >= (view.turn.first ?? 0) && t.number <= (view.goal?.last_turn ?? t.number))
      .map((t) => {
        const here = t.number === view.turn.number;
        const weather = here ? view.turn.weather : t.weather;
        return {
          number: t.number,
          label: t.date,
          weather: here ? view.turn.weather_title : weather ? t.title : "?",
          letter: weather ? (weatherLetters[weather] ?? t.title.charAt(0)) : "?",
          here,
        };
      }),
  standing: (view: View, table) =>
    view.goal
      ? goalStanding(view.goal, table.side, table.game.sides)
      : {
          value: String(view.victory?.points ?? 0),
          text: `of ${view.victory?.needed ?? "?"} victory cities`,
          short: `/ ${view.victory?.needed ?? "?"}`,
          title: "Victory city points held by the Axis, and how many it needs",
        },
  spokenTurn: (v: View) => {
    const standing = v.goal
      ? spokenGoal(v.goal, v.turn.number, `Goal of the ${v.goal.side === "axis" ? "Axis" : "Soviet"} side`)
      : `Axis victory points ${v.victory?.points} of ${v.victory?.needed}.`;
    return `${v.turn.label}, ${v.turn.weather_title}, ${v.phase.label}. ${standing}`;
  },
  tell: (s, u) => {
    const state = conditionOf(u);
    return `${s.name} ${s.af}-${s.df}-${s.mf}${state ? ` (${state})` : ""}`;
  },
  conditionOf: (unit) => conditionOf(unit) || "Ready",
  figuresOf: ({ af, df, mf }) => ({ words: `attack ${af}, defence ${df}, move ${mf}`, short: `${af}-${df}-${mf}` }),
  events: eventKinds,
  verbs: verbKinds,
  building,
  strengthWords: "Attack and defence, with the ground",
  layers: [
    { id: "reach", title: "Reach and targets", key: "R" },
    { id: "zoc", title: "Zones of control", key: "Z" },
    { id: "supply", title: "Supply, rail and fuel", key: "S" },
    { id: "control", title: "Control of the land", key: "C" },
    { id: "front", title: "Front line", key: "F" },
    { id: "trapped", title: "Who has no way to retreat" },
    { id: "strengths", title: "Strength, hex by hex" },
    { id: "odds", title: "Odds against each hex" },
    { id: "history", title: "Front in the war, on the latest known day" },
    { id: "weather", title: "Arctic Weather Line", key: "W" },
    { id: "hexIds", title: "Hex numbers", key: "X" },
    { id: "names", title: "Place names" },
    { id: "map_notes", title: "Notes and arrows" },
    { id: "minimap", title: "Overview in the corner" },
  ],
  orders: Orders,
  listsAll: (table) => table.attacks.building === null,
  keys,
  help,
  mapKey,
  notation: "move 39Pz N4-N6   attack N7: 39Pz,56Pz   ? N6",
  panels: [
    { id: "situation", title: "Situation", component: Situation },
    { id: "forces", title: "Forces", component: Forces },
  ],
};
