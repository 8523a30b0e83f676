import type { Hint } from "../../../lib/state/table/hints.svelte.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { sentence } from "../../../lib/state/table/words.ts";
import { chartsOf, ruleOf, titleOf } from "../model/charts.ts";
import { directionTo } from "../model/plots.ts";
import { ask, VALUES } from "../model/types.ts";
import { attempt } from "./click.ts";
import { noWay } from "./orders.ts";
import { type WirTableState, wirState } from "./tableState.svelte.ts";

/** A city's people and factories, where nothing more urgent is to be said of its hex. */
function cityHint(table: Table, wir: WirTableState, hex: string): Hint | null {
  const city = wir.view?.cities?.find((c) => c.hex === hex);
  if (!city) return null;
  const facts = VALUES.flatMap((v) =>
    city[v] === null || city[v] === undefined || (city[v] === 0 && v !== "population")
      ? []
      : [`${titleOf(table.map, "values", v).toLowerCase()} ${city[v]}`],
  );
  return { hex, text: facts.join(", ") || table.game.sides[city.owner]?.name || "", rule: null, tone: "plain" };
}

export async function explain(table: Table, hex: string): Promise<Hint | null> {
  const wir = wirState(table);
  return (
    (await explainOrder(table, wir, hex)) ??
    (wir.kind === "orders" && wir.lit.has(hex) ? null : cityHint(table, wir, hex))
  );
}

/** The weather, where it makes marches and attacks more costly. */
function inWeather(wir: WirTableState): string {
  const turn = wir.view?.turn;
  return turn && turn.weather !== "clear" ? ` (${turn.weather_title.toLowerCase()})` : "";
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
      const { radius } = chartsOf(table.map).supply;
      const reach = `removes ${relief} % of the fatigue of what stands within ${radius} hexes`;
      return {
        hex,
        text: `${n} penalty ${n === 1 ? "hex" : "hexes"}; ${reach}`,
        rule: ruleOf(table.map, "depot"),
        tone: "good",
      };
    }
    return why(table, hex, `depot ${hex}`);
  }
  if (wir.kind === "orders" && here && wir.group) {
    if (enemy && wir.mode !== "strike" && directionTo(table.map, here, hex)) {
      const odds = await wir.tryAttack(hex);
      if (odds?.known === false && !odds.supposed && !odds.estimate)
        return {
          hex,
          text: `attack with ${Math.round(odds.attack ?? 0)}; the defender's strength is not known`,
          rule: chartsOf(table.map).paragraphs.odds,
          tone: "good",
        };
      if (odds && odds.odds !== undefined) {
        const chances = (["retreat", "advance"] as const)
          .flatMap((what) => (typeof odds[what] === "number" ? [`, ${what} ${Math.round(odds[what])} %`] : []))
          .join("");
        return {
          hex,
          text: odds.estimate
            ? `about ${odds.odds_text}, ${odds.estimate.worst.odds_text} to ${odds.estimate.best.odds_text}${chances}`
            : `${odds.odds_text}${odds.supposed ? " as supposed" : ""}${chances}`,
          rule: chartsOf(table.map).paragraphs.odds,
          tone: "good",
        };
      }
    }
    const lit = wir.lit.get(hex);
    if (wir.mode === "march" && lit) {
      const route = await ask(table, "route", { unit: wir.group, to: hex }).catch(() => null);
      if (route?.hexes?.length) table.hints.route = { hexes: [here, ...route.hexes], cost: route.cost ?? 0 };
      const way = wir.reach?.plain.find((p) => p.hex === hex);
      const worn = way?.worn_out ? wir.reach?.wears_out : null;
      return {
        hex,
        text: [
          `march ${lit.cost} ${lit.cost === 1 ? "hex" : "hexes"}`,
          ...(way?.fatigue ? [`fatigue +${way.fatigue}${inWeather(wir)}`] : []),
          ...(worn ? [worn.text] : []),
        ].join(", "),
        rule: worn?.rule ?? ruleOf(table.map, "step"),
        tone: worn ? "plain" : "good",
      };
    }
    if (wir.mode === "rail")
      return lit
        ? { hex, text: "by rail", rule: ruleOf(table.map, "railmove"), tone: "good" }
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
              ...(o.overcast ? [`${o.overcast} % that clouds hide it${inWeather(wir)}`] : []),
            ].join(", ")
          : ways,
        rule: ruleOf(table.map, "ground"),
        tone: "good",
      };
    }
    const action = attempt(table, wir, hex);
    if (action) return why(table, hex, action);
    const far = await noWay(table, wir, hex);
    return far ? { hex, text: sentence(far.reason), rule: far.rule, tone: "bad" } : null;
  }
  const groups = table.stacks.get(hex) ?? [];
  const group = groups.find((u) => wir.own(u.id)) ?? groups[0];
  if (!group) return null;
  const option = wir.of("get").find((o) => o.units.includes(group.id));
  return option
    ? { hex, text: `take up ${table.unitName(group.id)}`, rule: ruleOf(table.map, "get"), tone: "good" }
    : why(table, hex, `get ${group.id}`);
}

async function why(table: Table, hex: string, action: string): Promise<Hint | null> {
  await new Promise((resolve) => setTimeout(resolve, 130));
  if (table.hints.hovered !== hex && table.cursor !== hex) return null;
  const answer = await table.match.ask("why", { action }).catch(() => null);
  return answer && !answer.legal && answer.reason
    ? { hex, text: sentence(answer.reason), rule: answer.rule ?? null, tone: "bad" }
    : null;
}
