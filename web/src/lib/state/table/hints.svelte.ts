import type { Route, ViewUnit } from "../../net/types.ts";
import { leaving } from "./options.ts";
import type { Table } from "./table.svelte.ts";
import { sentence } from "./words.ts";

/** What is said of a hex that is pointed at. */
export interface Hint {
  hex: string;
  text: string;
  rule: string | null;
  tone: "plain" | "bad" | "good";
}

const HOVER_MS = 70;
/** A reason why something cannot be done is asked for only where the pointer rests. */
const REST_MS = 130;

/** What would happen at the hex pointed at, or why nothing can: asked of the engine, never worked out. */
export class Hints {
  hovered = $state<string | null>(null);
  current = $state.raw<Hint | null>(null);
  route = $state.raw<Route | null>(null);
  /** Costs of the hexes in reach, from the engine; present while units are on the move. */
  reach = $state.raw<{
    costs: ReadonlyMap<string, { cost: number; dispersed: boolean }>;
    factor: number;
    left: number;
    bonusLeft: number;
  } | null>(null);
  /** The way that is being drawn, hex by hex. */
  drawn = $state.raw<readonly string[]>([]);
  pointed: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly table: Table) {}

  async loadReach(): Promise<void> {
    const { match, active } = this.table;
    const { view, index } = match;
    this.reach = null;
    const { verbs, marches } = this.table.game;
    if (!active.length || !verbs.marches || index.hexVerb !== verbs.marches) return;
    if (!marches?.includes(view?.decision?.kind ?? "")) return;
    const answer = await match.ask("reach", { units: active.join(",") }).catch(() => null);
    if (!answer || view !== match.view) return;
    const costs = new Map(answer.plain.map((p) => [p.hex, { cost: p.cost, dispersed: false }]));
    for (const p of answer.dispersed) if (!costs.has(p.hex)) costs.set(p.hex, { cost: p.cost, dispersed: true });
    this.reach = { costs, factor: answer.factor, left: answer.left, bonusLeft: answer.bonus_left };
  }

  hover(hex: string | null, unit: string | null = null): void {
    if (hex === this.hovered && unit === this.pointed) return;
    this.hovered = hex;
    this.pointed = unit;
    this.clear(false);
    if (hex) this.timer = setTimeout(() => void this.explain(hex), HOVER_MS);
  }

  clear(forget = true): void {
    clearTimeout(this.timer);
    this.current = null;
    this.route = null;
    if (forget) this.hovered = null;
  }

  /** A finger cannot point: what it touches without effect says why, or where there is something to choose. */
  async touchedInVain(hex: string): Promise<void> {
    this.clear();
    this.hovered = hex;
    await this.explain(hex);
    const { view, index } = this.table.match;
    if (this.current || !this.isAt(hex) || !view?.decision?.mine) return;
    const elsewhere = index.byUnit.size
      ? "; units that may act are framed"
      : index.byHex.size
        ? "; choose a lit hex"
        : "";
    this.current = { hex, text: `nothing to choose here${elsewhere}`, rule: null, tone: "plain" };
  }

  private isAt(hex: string): boolean {
    return this.hovered === hex || this.table.cursor === hex;
  }

  async explain(hex: string): Promise<void> {
    const { table } = this;
    const own = await table.game.interactions?.explain(table, hex, this.pointed);
    if (own !== undefined) {
      if (this.isAt(hex)) this.current = own;
      return;
    }
    const { index } = table.match;
    const units = table.stacks.get(hex) ?? [];
    if (index.byHex.has(hex) && !(this.pointed && index.byUnit.has(this.pointed))) return this.explainOffered(hex);
    const takeUp =
      index.byUnit.get(this.pointed ?? "")?.[0] ?? units.map((u) => index.byUnit.get(u.id)?.[0]).find(Boolean);
    const oneWay = table.ways.at(hex);
    const inHand = table.active.some((u) => table.whereIs(u) === hex);
    const click = takeUp ?? (inHand ? leaving(index, table.game.leave) : undefined);
    if (oneWay) {
      const far = `${oneWay.hexes.length - 1} ${oneWay.hexes.length === 2 ? "hex" : "hexes"}`;
      const text = `${table.unitName(oneWay.unit)} goes here, ${far}${oneWay.dispersed ? ", and is Dispersed" : ""}`;
      this.current = { hex, text, rule: null, tone: oneWay.dispersed ? "plain" : "good" };
      this.route = { hexes: oneWay.hexes, cost: 0, rivers: 0, dispersed: oneWay.dispersed, stops: true };
    } else if (click) this.current = { hex, text: table.label(click), rule: null, tone: "good" };
    else await this.explainRefusal(hex, units);
  }

  /** What a click would do here, and by which way. */
  private async explainOffered(hex: string): Promise<void> {
    const { table } = this;
    const offered = table.match.index.byHex.get(hex)![0]!;
    const step = this.reach?.costs.get(hex);
    const text = step
      ? `${step.cost} movement ${step.cost === 1 ? "factor" : "factors"}${step.dispersed ? ", arrives Dispersed" : ""}`
      : (table.game.hereNames?.[offered.verb] ?? table.label(offered));
    this.current = { hex, text, rule: null, tone: step?.dispersed ? "plain" : "good" };
    const more = await table.game.offered?.(table, offered);
    if (more && this.isAt(hex)) this.current = { hex, text: more, rule: null, tone: "good" };
    if (!this.reach) return;
    const route = await table.match.ask("route", { units: table.active.join(","), to: hex }).catch(() => null);
    if (route?.hexes && this.isAt(hex)) this.route = route;
  }

  private async explainRefusal(hex: string, units: ViewUnit[]): Promise<void> {
    const action = this.attempt(hex, units);
    if (!action) return;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    if (!this.isAt(hex)) return;
    const why = await this.table.match.ask("why", { action }).catch(() => null);
    if (why && why.legal === false && why.reason && this.isAt(hex))
      this.current = { hex, text: sentence(why.reason), rule: why.rule ?? null, tone: "bad" };
  }

  /** The action a click here would be an attempt at, for a "why not". */
  private attempt(hex: string, units: ViewUnit[]): string | null {
    const { table } = this;
    const { index, view } = table.match;
    const mine = view?.decision?.side;
    const { attacks, extends: more } = table.game.verbs;
    if (index.hexVerb && [attacks, more].includes(index.hexVerb))
      return units.some((u) => table.unit(u.id)?.side !== mine) ? `${index.hexVerb} ${hex}` : null;
    if (index.hexVerb) return `${index.hexVerb} ${hex}`;
    const own = units.find((u) => table.unit(u.id)?.side === (mine ?? view?.phase.side));
    const tried = own ?? units[0];
    return index.unitVerb && tried ? `${index.unitVerb} ${tried.id}` : null;
  }
}
