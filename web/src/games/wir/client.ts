import { figured } from "../../lib/ui/figured.ts";
import type {} from "./shapes.ts";
import type { StaticGame, StaticUnit, View, ViewUnit } from "../../lib/net/types.ts";
import { codeOf } from "../../lib/counters/symbol.ts";
import { goalStanding, spokenGoal } from "../../lib/state/lessons.ts";
import type { Table } from "../../lib/state/table/table.svelte.ts";
import { eventKinds } from "./model/eventKinds.ts";
import type { GameClient } from "../types.ts";
import Counter from "./map/Counter.svelte";
import { tip } from "./table/tip.ts";
import { wirState } from "./table/tableState.svelte.ts";
import Execution from "./execution/Execution.svelte";
import Forces from "./panels/Forces.svelte";
import { FIGURES } from "./model/figure.ts";
import { weekInShort } from "./execution/summary.ts";
import { interactions } from "./table/interactions.ts";
import { help, keys, passing } from "./table/help.ts";
import Inspector from "./panels/Inspector.svelte";
import { asksBeforeEnd, doneNames, nations, sides, tips } from "./model/names.ts";
import { mapKey } from "./mapKey.ts";
import Orders from "./orders/Orders.svelte";
import Overlay from "./map/Overlay.svelte";
import { paintKey, paintRail, withNames } from "./map/paint.ts";
import { tellPlot } from "./model/plots.ts";
import { statusOf } from "./model/signs.svelte.ts";
import Situation from "./panels/Situation.svelte";
import TextView from "./panels/TextView.svelte";
import { sinceTheStart, tally } from "./model/score.ts";
import { startScore } from "./model/start.svelte.ts";
import { wirUnit } from "./model/types.ts";
import { ownCharts } from "./model/charts.ts";

const WEEKS = 6;

/** The question with the groups and places it is about: the server's own words can be read by the enemy too. */
function ask(table: Table): string {
  const d = table.match.view?.decision;
  const { source, target } = wirState(table).view?.transfer ?? {};
  const [group] = d?.units ?? [];
  const at = d?.hexes[0] ? ` in {hex:${d.hexes[0]}}` : "";
  switch (d?.kind) {
    case "orders":
      return `Orders for {unit:${group}}${at}`;
    case "divide":
      return `{unit:${group}} divides${at}: which kind of group is formed?`;
    case "transfer": {
      const to = table.whereIs(target ?? "") ? `{unit:${target}}` : `a new group ${target}`;
      const guns = table.match.index.verbs.some((v) => v.verb === "guns") ? ", or how many guns" : "";
      return `{unit:${source}} to ${to}${at}: which unit goes over${guns}?`;
    }
    case "naval":
      return `{unit:${source}} to {unit:${target}}: ${d.marked.charAt(0).toLowerCase()}${d.marked.slice(1)}`;
    case "aircraft":
      return source
        ? `How many aircraft points go from {unit:${source}} to {unit:${target}}?`
        : `How many aircraft points go from the pool to {unit:${target}}?`;
    case "build":
      return `Which kind of group takes the new units${at}?`;
    case "factory":
      return `Which kind of factory is built${at}?`;
    case "raise":
      return table.match.index.verbs.some((v) => v.verb === "strength")
        ? `How many strength points does it get${at}, for group ${group}?`
        : `Which unit is built${at}, for group ${group}?`;
  }
  return "";
}

export const wir: GameClient = {
  id: "wir",
  fixed: withNames,
  sidc: (u: StaticUnit) => codeOf(u.symbol, u.type === "depot" ? "-" : u.side === "axis" ? "J" : "K"),
  badge: () => "",
  nations,
  sides,
  tips,
  tip,
  doneNames,
  homeCountry: "USSR",
  destructiveVerbs: [],
  leave: ["halt", "back"],
  quiet: [
    "step",
    "plot",
    "replace",
    "type",
    "strength",
    "points",
    "send",
    "guns",
    "works",
    "form",
    "level",
    "end_game",
    "skip",
    "unplot",
    "artillery",
    "auto_replace",
    "auto_all",
    "auto_supply",
    "auto",
    "rail",
    "abort",
  ],
  ordersHidden: true,
  question: ask,
  primary: ["supply", "skip", "halt", "done", "agree"],
  asksBeforeEnd,
  turnTrack: (view, charts) =>
    ownCharts(charts)
      .turns.filter(
        (t) =>
          Math.abs(t.number - view.turn.number) <= WEEKS &&
          t.number <= (view.goal?.last_turn ?? view.turn.last ?? Infinity),
      )
      .map((t) => ({
        number: t.number,
        label: t.date,
        weather: t.number === view.turn.number ? view.turn.weather_title : "",
        letter: t.number === view.turn.number ? view.turn.weather_title.charAt(0) : "",
        here: t.number === view.turn.number,
      })),
  standing: (view: View, table: Table) => {
    if (view.goal) return goalStanding(view.goal, table.side, table.game.sides);
    const t = tally(view);
    return {
      ...sinceTheStart(t.total, startScore(table)),
      title: `Soviet less Axis victory points: ${t.total ?? "unknown"} now. If the war ended today: ${t.level}`,
    };
  },
  spokenTurn: (v: View) => {
    const weather = v.turn.weather_title ?? v.turn.weather;
    const when = `${v.turn.label}, week ${v.turn.number}, ${weather}, ${v.phase.label}.`;
    if (v.goal)
      return `${when} ${spokenGoal(v.goal, v.turn.number, `Goal of the ${sides[v.goal.side]?.name ?? ""} side`)}`;
    const t = tally(v);
    return `${when} Soviet less Axis victory points ${t.total ?? "unknown"}; if the war ended today: ${t.level}.`;
  },
  lines: "column",
  label: (o) => o.label,
  tell: (s: StaticUnit, state: ViewUnit, source: StaticGame) => {
    const u = wirUnit(state);
    const name = `${sides[s.side]?.name ?? s.side} ${s.type_title.toLowerCase()} ${s.id}`;
    return [
      name,
      u.strength ? `strength ${u.strength}` : "",
      u.aircraft !== undefined ? figured(u.aircraft, "aircraft point") : "",
      u.entrench ? `entrenched ${u.entrench}` : "",
      u.artillery ? `artillery ${u.artillery}` : "",
      statusOf(u.status, s.side).words,
      u.plot ? `plot ${u.plot}, ${tellPlot(source, u.plot)}` : "",
      u.plot_ends?.text ?? "",
      u.strike ? `strikes ${u.strike.hex}` : "",
    ]
      .filter(Boolean)
      .join(", ");
  },
  paint: { key: paintKey, draw: paintRail },
  leftName: "without orders",
  inShort: weekInShort,
  events: eventKinds,
  verbs: { setsDown: [], ends: "done", hostile: [] },
  strengthWords: "Strength that counts in a fight",
  layers: [
    { id: "reach", title: "Reach and targets", key: "R" },
    { id: "plots", title: "Plots and strikes" },
    { id: "zoc", title: "Zones of control", key: "Z" },
    { id: "supply", title: "Supply scan", key: "S" },
    { id: "depots", title: "Depots: where they start", key: "D" },
    { id: "control", title: "Control of the land", key: "C" },
    { id: "front", title: "Front line", key: "F" },
    { id: "trapped", title: "Who has no way to retreat" },
    { id: "strengths", title: "Strength, hex by hex" },
    { id: "odds", title: "Odds against each hex" },
    { id: "cityValues", title: "Population of the cities" },
    { id: "hexIds", title: "Hex numbers" },
    { id: "names", title: "Place names" },
    { id: "map_notes", title: "Notes and arrows" },
    { id: "minimap", title: "Overview in the corner" },
  ],
  panels: [
    { id: "situation", title: "Situation", component: Situation },
    { id: "forces", title: "Forces", component: Forces },
  ],
  orders: Orders,
  listsAll: () => false,
  counter: Counter,
  figures: FIGURES,
  stackStep: { x: 9, y: 16 },
  counterSize: 1,
  overlay: Overlay,
  float: Execution,
  inspector: Inspector,
  textView: TextView,
  interactions,
  keys,
  passing,
  help,
  mapKey,
  flat: true,
  notation: "get 12; plot 34S   depot 1116; supply   ? 1814   ? 12",
};
