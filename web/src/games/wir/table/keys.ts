import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { prefs } from "../../../lib/state/prefs.svelte.ts";
import { replayOf } from "../execution/replay.svelte.ts";
import { FIGURES } from "../model/figure.ts";
import { stepFrom } from "../model/plots.ts";
import { explain } from "./explain.ts";
import { endPlot, explainRefusal, ownGroups, step, take } from "./orders.ts";
import { type WirTableState, wirState } from "./tableState.svelte.ts";

/** Questions answered by a number of their menu, as in the original. */
const CHOICES = new Set(["divide", "transfer", "naval", "build", "raise", "factory"]);
/** Orders of the adjustment for what stands under the cursor. */
const AT_CURSOR: Readonly<Record<string, string>> = { i: "divide", m: "transfer", b: "build", w: "factory" };

function atCursor(table: Table, wir: WirTableState, verb: string): boolean {
  const hex = table.cursor ?? table.selected;
  const here = new Set(hex ? (table.stacks.get(hex) ?? []).map((u) => u.id) : []);
  const o = wir.of(verb).find((x) => (x.hex ? x.hex === hex : here.has(x.source || x.unit || "")));
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

export function key(
  table: Table,
  k: string,
  _shift: boolean,
  views: { text(): void; log(): void; orders(): void },
): boolean {
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
      else {
        const close = wir.one("halt") ?? wir.one("back");
        if (close?.gives_up) table.say(`${close.label}: ${close.gives_up}. Use its button if that is what you want.`);
        else if (close) void table.send(close.action);
      }
      return true;
    }
    case "s":
      if (!orders) return false;
      void endPlot(table, "stop");
      return true;
    case "b":
      if (wir.kind === "depot") void (wir.one("rail") ? table.send("rail") : explainRefusal(table, "rail"));
      else if (orders) void endPlot(table, "bombard");
      return true;
    case "p":
      if (orders && wir.modes.includes("plot")) wir.choose(wir.mode === "plot" ? (wir.modes[0] ?? "march") : "plot");
      return orders;
    case "x":
      if (orders && wir.modes.includes("rail")) wir.choose(wir.mode === "rail" ? "march" : "rail");
      return orders;
    case "w": {
      const at = FIGURES.findIndex(({ id }) => id === prefs.figure(table.game.id));
      const { id, title } = FIGURES[(Math.max(0, at) + 1) % FIGURES.length]!;
      prefs.setFigure(table.game.id, id);
      table.match.say("info", `Counters show ${title}.`);
      return true;
    }
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
