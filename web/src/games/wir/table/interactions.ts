import type { Hint } from "../../../lib/state/table/hints.svelte.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { sentence } from "../../../lib/state/table/words.ts";
import { prefs } from "../../../lib/state/prefs.svelte.ts";
import type { Why } from "../../../lib/net/types.ts";
import type { Interactions } from "../../types.ts";
import { type WirTableState, wirState, oddsText } from "./tableState.svelte.ts";
import { directionTo, extendPlot, type Plot, plotTo, stepFrom, writePlot } from "../model/plots.ts";
import { valueNames } from "../model/names.ts";
import { replayOf } from "../execution/replay.svelte.ts";
import { type Route, VALUES } from "../model/types.ts";

interface Refusal {
  reason: string;
  rule: string | null;
}

/** Puts the piece in hand down, if one is, and takes up another. */
export async function take(table: Table, group: string): Promise<boolean> {
  const wir = wirState(table);
  if (wir.group === group) return true;
  if (wir.kind === "orders" && !(await table.send("halt"))) return false;
  const option = wir.of("get").find((o) => o.units.includes(group));
  if (!option) {
    if (wir.kind === "movement") await explainRefusal(table, `get ${group}`);
    return false;
  }
  const hex = table.whereIs(group);
  if (hex) table.select(hex);
  return table.send(option.action);
}

async function explainRefusal(table: Table, action: string): Promise<void> {
  const why = await table.match.ask<Why>("why", { action }).catch(() => null);
  if (why && !why.legal && why.reason) table.match.say("refused", why.reason, why.rule ?? null);
}

export async function setPlot(table: Table, plot: Plot): Promise<boolean> {
  const option = wirState(table).plots.get(writePlot(plot));
  return option ? table.send(option.action) : false;
}

/** Ends the plot by S or B, or takes the ending off again. */
export async function endPlot(table: Table, ending: "S" | "B"): Promise<boolean> {
  const wir = wirState(table);
  const plot = wir.plot;
  if (!plot) return false;
  const next: Plot = { steps: plot.steps, ending: plot.ending === ending ? "" : ending };
  if (wir.plots.has(writePlot(next))) return setPlot(table, next);
  await explainRefusal(table, `plot ${writePlot(next)}`);
  return true;
}

export async function step(table: Table, direction: number): Promise<boolean> {
  const wir = wirState(table);
  if (wir.kind === "orders" && wir.mode === "plot" && wir.inHand?.hex) {
    const plot = wir.plot;
    const longer: Plot = { steps: [...(plot?.steps ?? []), direction], ending: "" };
    if (plot && !plot.ending && plot.steps.length < 2 && wir.plots.has(writePlot(longer)))
      return setPlot(table, longer);
    return setPlot(table, { steps: [direction], ending: "" });
  }
  const option = wir.of("step").find((o) => o.number === direction);
  if (option) return table.send(option.action);
  if (wir.kind === "orders" || wir.kind === "depot") {
    await explainRefusal(table, `step ${direction}`);
    return true;
  }
  return false;
}

/** A way on foot: along the route the engine gives. */
async function march(table: Table, wir: WirTableState, hex: string): Promise<boolean> {
  const here = wir.inHand?.hex;
  if (!here || !wir.group) return false;
  const d = directionTo(table.map, here, hex);
  const single = wir.of("step").find((o) => o.number === d);
  if (d && single) return table.send(single.action);
  const route = await table.match.ask<Route>("route", { unit: wir.group, to: hex }).catch(() => null);
  return route?.line ? table.send(route.line) : false;
}

/** Why no march, or no plot, leads to a hex farther off, as the engine says. */
async function noWay(table: Table, wir: WirTableState, hex: string): Promise<Refusal | null> {
  const asked = { march: "route", plot: "plots" }[wir.mode as string];
  if (!asked || !wir.group || wir.lit.has(hex) || wir.inHand?.hex === hex) return null;
  const answer = await table.match.ask<Partial<Refusal>>(asked, { unit: wir.group, to: hex }).catch(() => null);
  return answer?.reason ? { reason: answer.reason, rule: answer.rule ?? null } : null;
}

async function clickOrders(table: Table, wir: WirTableState, hex: string): Promise<boolean> {
  const here = wir.inHand?.hex;
  if (!here) return false;
  const enemy = wir.enemiesIn(hex).length > 0;
  if (wir.fixed(wir.group!)?.type === "air" && (wir.mode === "strike" || enemy)) {
    const ways = ["ground", "bomb"].flatMap((v) => wir.of(v).filter((o) => o.hex === hex));
    if (ways.length > 1) table.chooser = { hex, options: ways };
    if (ways.length) return ways.length === 1 ? table.send(ways[0]!.action) : true;
  }
  if (wir.mode === "plot" || enemy) {
    const occupied = new Set([...table.stacks.keys()].filter((h) => wir.enemiesIn(h).length));
    const near = extendPlot(table.map, here, wir.mode === "plot" || wir.plot ? wir.plot : null, hex, wir.plots);
    const plot = near ?? plotTo(table.map, here, hex, wir.plots, occupied);
    if (plot) {
      wir.mode = "plot";
      return setPlot(table, plot);
    }
  }
  if (wir.mode === "rail") {
    const option = wir.of("railmove").find((o) => o.hex === hex);
    if (option) return table.send(option.action);
  }
  if (wir.lit.has(hex) && wir.mode === "march") return march(table, wir, hex);
  return false;
}

/** The order that a click on a hex is an attempt at, for a "why not". */
function attempt(table: Table, wir: WirTableState, hex: string): string | null {
  if (wir.mode === "rail") return `railmove ${hex}`;
  if (wir.mode === "strike") return `ground ${hex}`;
  const d = wir.inHand?.hex ? directionTo(table.map, wir.inHand.hex, hex) : 0;
  return d ? `${wir.mode === "plot" || wir.enemiesIn(hex).length ? "plot" : "step"} ${d}` : null;
}

/** A hex that the group in hand can be sent to as it is to go: lit, the next of its plot, or an enemy's beside it. */
function aims(table: Table, hex: string): boolean {
  const wir = wirState(table);
  const here = wir.inHand?.hex;
  if (wir.kind !== "orders" || !here || hex === here) return false;
  if (wir.lit.has(hex)) return true;
  return table.map.direction(here, hex) >= 0 && (wir.mode === "plot" || wir.enemiesIn(hex).length > 0);
}

function ownGroups(table: Table, wir: WirTableState, hex: string): string[] {
  const can = new Set(wir.of("get").flatMap((o) => o.units));
  return (table.stacks.get(hex) ?? [])
    .map((u) => u.id)
    .filter((id) => wir.own(id) && (wir.kind === "orders" || can.has(id)));
}

async function click(table: Table, hex: string, unit: string | null): Promise<boolean> {
  const wir = wirState(table);
  if (wir.kind === "depot") {
    const option = wir.of("depot").find((o) => o.hex === hex);
    table.select(hex);
    if (option) return table.send(option.action);
    return true;
  }
  if (wir.kind === "adjust" || !["orders", "movement"].includes(wir.kind)) {
    table.select(hex);
    return wir.kind === "adjust" || wir.kind === "";
  }
  // while a plot is pointed out, another group of one's own is taken up, not plotted upon; a drag still does that
  const another = wir.mode === "plot" && ownGroups(table, wir, hex).some((g) => g !== wir.group);
  if (wir.kind === "orders" && unit !== wir.group && !another && (await clickOrders(table, wir, hex))) {
    table.cursor = hex;
    return true;
  }
  table.select(hex);
  const own = ownGroups(table, wir, hex);
  if (unit && wir.own(unit) && unit !== wir.group) await take(table, unit);
  else if (own.length && !own.includes(wir.group ?? "")) await take(table, own[0]!);
  else if (own.length > 1 && !unit)
    await take(
      table,
      own.find((g) => g !== wir.group)!,
    );
  else if (wir.kind === "orders" && hex !== wir.inHand?.hex) {
    const action = attempt(table, wir, hex);
    const far = action ? null : await noWay(table, wir, hex);
    // the note at the pointer says the same
    if (action || far) table.hints.clear(false);
    if (action) await explainRefusal(table, action);
    else if (far) table.match.say("refused", far.reason, far.rule);
  }
  return true;
}

/** The next group with a number above that of the present one. */
export async function takeNext(table: Table, by: number): Promise<void> {
  const wir = wirState(table);
  const from = Number(wir.group ?? 0);
  if (wir.kind === "orders" && !(await table.send("halt"))) return;
  const numbers = wir
    .of("get")
    .flatMap((o) => o.units)
    .map(Number)
    .sort((a, b) => a - b);
  const waiting = numbers.filter((n) => {
    const u = wir.unit(String(n));
    return !u?.plot && !u?.strike && u?.status !== "N";
  });
  const list = waiting.length ? waiting : numbers;
  const next = by > 0 ? (list.find((n) => n > from) ?? list[0]) : (list.findLast((n) => n < from) ?? list.at(-1));
  if (next === undefined) return;
  const hex = table.whereIs(String(next));
  if (hex) table.camera.look(hex);
  await take(table, String(next));
  table.say(hex ? table.tellHex(hex) : String(next));
}

/** A city's people and works, where nothing more urgent is to be said of its hex. */
function cityHint(table: Table, wir: WirTableState, hex: string): Hint | null {
  const city = wir.view?.cities?.find((c) => c.hex === hex);
  if (!city) return null;
  const facts = VALUES.flatMap((v) =>
    city[v] === null || city[v] === undefined || (city[v] === 0 && v !== "population")
      ? []
      : [`${valueNames[v]!.toLowerCase()} ${city[v]}`],
  );
  return { hex, text: facts.join(", ") || table.game.sides[city.owner]?.name || "", rule: null, tone: "plain" };
}

async function explain(table: Table, hex: string): Promise<Hint | null> {
  const wir = wirState(table);
  return (
    (await explainOrder(table, wir, hex)) ??
    (wir.kind === "orders" && wir.lit.has(hex) ? null : cityHint(table, wir, hex))
  );
}

async function explainOrder(table: Table, wir: WirTableState, hex: string): Promise<Hint | null> {
  table.hints.route = null;
  if (!wir.kind || !["orders", "depot", "movement"].includes(wir.kind)) return null;
  const enemy = wir.enemiesIn(hex).length > 0;
  const here = wir.inHand?.hex;
  if (wir.kind === "depot") {
    const wave = wir.waves?.waves.findIndex((w) => w.includes(hex)) ?? -1;
    if (wave >= 0) {
      const n = (wir.view?.depot?.penalty ?? 0) + wave;
      const relief = wir.waves?.relief?.[wave] ?? "?";
      return {
        hex,
        text: `${n} penalty ${n === 1 ? "hex" : "hexes"}; removes ${relief} % of the fatigue of what stands within two hexes`,
        rule: "5.2",
        tone: "good",
      };
    }
    return why(table, hex, `depot ${hex}`);
  }
  if (wir.kind === "orders" && here && wir.group) {
    if (enemy && wir.mode !== "strike" && directionTo(table.map, here, hex)) {
      const odds = await wir.tryAttack(hex);
      if (odds?.known === false && !odds.supposed)
        return {
          hex,
          text: `attack with ${Math.round(odds.attack ?? 0)}; the defender's strength is not known`,
          rule: "7.6",
          tone: "good",
        };
      if (odds && odds.odds !== undefined) {
        const retreat = typeof odds.retreat === "number" ? `, retreat ${Math.round(odds.retreat)} %` : "";
        return {
          hex,
          text: `${oddsText(odds.odds)}${odds.supposed ? " as supposed" : ""}${retreat}`,
          rule: "7.6",
          tone: "good",
        };
      }
    }
    const lit = wir.lit.get(hex);
    if (wir.mode === "march" && lit) {
      const route = await table.match.ask<Route>("route", { unit: wir.group, to: hex }).catch(() => null);
      if (route?.hexes?.length) table.hints.route = { hexes: [here, ...route.hexes], cost: route.cost ?? 0 };
      const fatigue = wir.reach?.plain.find((p) => p.hex === hex)?.fatigue;
      return {
        hex,
        text: `march ${lit.cost} ${lit.cost === 1 ? "hex" : "hexes"}${fatigue ? `, fatigue +${fatigue}` : ""}`,
        rule: "6.2",
        tone: "good",
      };
    }
    if (wir.mode === "rail")
      return lit
        ? { hex, text: "by rail, without fatigue", rule: "6.3", tone: "good" }
        : why(table, hex, `railmove ${hex}`);
    if (wir.mode === "strike") {
      if (!lit) return why(table, hex, `ground ${hex}`);
      const o = (await wir.sight(hex))?.outlook;
      const ways = [
        ...(enemy ? ["ground attack"] : []),
        ...(wir.of("bomb").some((x) => x.hex === hex) ? ["bomb the city"] : []),
      ].join(" or ");
      return {
        hex,
        text: o
          ? [
              `${ways}: ${o.distance} ${o.distance === 1 ? "hex" : "hexes"}`,
              `${o.escorted ? "with" : "without"} escort`,
              ...(o.interceptors.length ? [`${o.interceptors.join(" and ")} may intercept`] : []),
            ].join(", ")
          : ways,
        rule: "6.9",
        tone: "good",
      };
    }
    const action = attempt(table, wir, hex);
    if (action) return why(table, hex, action);
    const far = await noWay(table, wir, hex);
    return far ? { hex, text: sentence(far.reason), rule: far.rule, tone: "bad" } : null;
  }
  const group = (table.stacks.get(hex) ?? []).find((u) => wir.own(u.id));
  if (!group) return null;
  const option = wir.of("get").find((o) => o.units.includes(group.id));
  return option
    ? { hex, text: `take up ${table.unitName(group.id)}`, rule: "6.1", tone: "good" }
    : why(table, hex, `get ${group.id}`);
}

async function why(table: Table, hex: string, action: string): Promise<Hint | null> {
  await new Promise((resolve) => setTimeout(resolve, 130));
  if (table.hints.hovered !== hex && table.cursor !== hex) return null;
  const answer = await table.match.ask<Why>("why", { action }).catch(() => null);
  return answer && !answer.legal && answer.reason
    ? { hex, text: sentence(answer.reason), rule: answer.rule ?? null, tone: "bad" }
    : null;
}

/** Questions answered by a number of their menu, as in the original. */
const CHOICES = new Set(["divide", "transfer", "naval", "build", "raise", "factory"]);
/** Orders of the adjustment for what stands under the cursor. */
const AT_CURSOR: Readonly<Record<string, string>> = { i: "divide", m: "transfer", b: "build", w: "factory" };

function atCursor(table: Table, wir: WirTableState, verb: string): boolean {
  const hex = table.cursor ?? table.selected;
  const here = new Set(hex ? (table.stacks.get(hex) ?? []).map((u) => u.id) : []);
  const o = wir.of(verb).find((x) => (x.hex ? x.hex === hex : here.has(x.units[0] ?? "")));
  if (o && hex) {
    table.select(hex);
    void table.choose(o);
  } else if (hex) {
    const [first, second] = [...here];
    void explainRefusal(
      table,
      verb === "build" || verb === "factory"
        ? `${verb} ${hex}`
        : `${verb} ${first ?? 0}${verb === "transfer" ? ` ${second ?? first ?? 0}` : ""}`,
    );
  }
  return true;
}

/** 6.9: the digits fly the cursor from the air base to its target, B bombs the city there, G attacks the groups. */
function fly(table: Table, wir: WirTableState, base: string, k: string): boolean {
  const verb = k === "b" ? "bomb" : k === "g" ? "ground" : "";
  const from = table.cursor ?? base;
  if (verb) {
    const o = wir.of(verb).find((x) => x.hex === from);
    void (o ? table.choose(o) : explainRefusal(table, `${verb} ${from}`));
    return true;
  }
  const to = k === "a" ? base : stepFrom(table.map, from, Number(k));
  if (!to) return true;
  table.select(to);
  table.camera.look(to);
  table.say(table.tellHex(to));
  void explain(table, to).then((hint) => {
    if (table.cursor === to) table.hints.current = hint;
  });
  return true;
}

function key(table: Table, k: string, _shift: boolean, views: { text(): void; log(): void; orders(): void }): boolean {
  const wir = wirState(table);
  const orders = wir.kind === "orders";
  const replay = replayOf(table);
  if (replay.report && k === "Escape") {
    replay.report = false;
    return true;
  }
  if (replay.running && (k === " " || k === "Escape")) {
    if (k === " ") replay.toggle();
    else replay.finish(true);
    return true;
  }
  if (CHOICES.has(wir.kind) && /^[0-9]$/.test(k)) {
    const o = ["form", "type", "works", "send"].flatMap((v) => wir.of(v)).find((x) => String(x.number) === k);
    if (o) void table.choose(o);
    return true;
  }
  if (orders && wir.mode === "strike" && wir.inHand?.hex && /^[1-6abg]$/.test(k))
    return fly(table, wir, wir.inHand.hex, k);
  if (wir.kind === "adjust" && k in AT_CURSOR) return atCursor(table, wir, AT_CURSOR[k]!);
  if (/^[1-6]$/.test(k)) {
    void step(table, Number(k)).then((done) => {
      if (done) return;
      const to = table.cursor ? stepFrom(table.map, table.cursor, Number(k)) : null;
      if (to) {
        table.select(to);
        table.camera.look(to);
        table.say(table.tellHex(to));
      }
    });
    return true;
  }
  switch (k) {
    case "l":
      if (table.cursor) {
        table.select(table.cursor);
        table.say(table.tellHex(table.cursor));
      }
      return true;
    case "t":
      prefs.countersHidden = !prefs.countersHidden;
      return true;
    case "a": {
      const o = wir.one("abort") ?? wir.one("back");
      if (o) void table.send(o.action);
      return true;
    }
    case "g": {
      const own = table.cursor ? ownGroups(table, wir, table.cursor) : [];
      if (own.length) void take(table, own.find((g) => g !== wir.group) ?? own[0]!);
      return true;
    }
    case "q": {
      const mates =
        orders && wir.inHand?.hex ? ownGroups(table, wir, wir.inHand.hex).filter((g) => g !== wir.group) : [];
      if (mates.length) void take(table, mates[0]!);
      else if (wir.one("halt") ?? wir.one("back")) void table.send(wir.one("halt") ? "halt" : "back");
      return true;
    }
    case "s":
      if (!orders) return false;
      void endPlot(table, "S");
      return true;
    case "b":
      if (wir.kind === "depot") void (wir.one("rail") ? table.send("rail") : explainRefusal(table, "rail"));
      else if (orders) void endPlot(table, "B");
      return true;
    case "p":
      if (orders && wir.modes.includes("plot")) wir.mode = wir.mode === "plot" ? (wir.modes[0] ?? "march") : "plot";
      return orders;
    case "x":
      if (orders && wir.modes.includes("rail")) wir.mode = wir.mode === "rail" ? "march" : "rail";
      return orders;
    case "e":
      views.orders();
      return true;
    case "v":
      views.text();
      return true;
    case "j":
      views.log();
      return true;
    case "k":
      wir.ledger = wir.ledger ? null : "production";
      return true;
  }
  return false;
}

export const interactions: Interactions = {
  active: (table) => {
    const g = wirState(table).group;
    return g ? [g] : [];
  },
  click,
  aims,
  focus: (table) => {
    const wir = wirState(table);
    return wir.kind === "depot" ? (wir.view?.depot?.hex ?? null) : (wir.inHand?.hex ?? null);
  },
  waiting: (table) => {
    const wir = wirState(table);
    return wir.kind === "movement"
      ? wir.of("get").filter((o) => {
          const u = wir.unit(o.units[0] ?? "");
          return u && !u.plot && !u.strike && !u.moved && !u.gunned;
        }).length
      : 0;
  },
  canDrag: (table, unit) => {
    const wir = wirState(table);
    return (
      wir.own(unit) &&
      (wir.kind === "orders" ||
        (wir.kind === "movement" && wir.of("get").some((o) => o.units.includes(unit))) ||
        (wir.kind === "depot" && unit === wir.group))
    );
  },
  lift: async (table, unit) => {
    await take(table, unit);
  },
  drop: async (table, hex, unit) => {
    const wir = wirState(table);
    if (wir.group !== unit && !(await take(table, unit))) return true;
    if (wir.kind === "depot") return click(table, hex, null);
    if (wir.kind !== "orders") return true;
    if (!wir.reach) await wir.load();
    if (!(await clickOrders(table, wir, hex))) {
      table.select(hex);
      table.hints.hovered = hex;
      await table.hints.explain(hex);
    }
    return true;
  },
  back: (table) => {
    const wir = wirState(table);
    if (wir.kind === "orders" && wir.mode === "rail") {
      wir.mode = wir.modes[0] ?? "march";
      return true;
    }
    return false;
  },
  next: (table, by) => {
    const wir = wirState(table);
    if (!["orders", "movement"].includes(wir.kind)) return false;
    void takeNext(table, by);
    return true;
  },
  explain: (table, hex) => explain(table, hex),
  key,
};
