import type { HexPair } from "../../api/schema";
import type { Answers, HexFigure, Rail, Supply, TrappedUnit } from "../../net/types.ts";
import type { Table } from "./table.svelte.ts";
import { type Layer, prefs } from "../prefs.svelte.ts";

/** What the switched-on overlays need, asked of the engine once for each position. */
export class LayerData {
  zoc = $state.raw<Record<string, string[]>>({});
  supply = $state.raw<Record<string, Supply>>({});
  rail = $state.raw<Record<string, Rail>>({});
  front = $state.raw<HexPair[]>([]);
  strengths = $state.raw<HexFigure[]>([]);
  odds = $state.raw<HexFigure[]>([]);
  /** By unit, why it has no way to retreat. */
  trapped = $state.raw<ReadonlyMap<string, TrappedUnit>>(new Map());

  constructor(private readonly table: Table) {}

  async load(): Promise<void> {
    const { match, game } = this.table;
    const sides = Object.keys(game.sides);
    const wanted = match.shown;
    if (!wanted || match.historical) return;
    const on = (layer: Layer): boolean => prefs.on(layer) && game.layers.some(({ id }) => id === layer);
    const each = async <K extends "zoc" | "supply" | "rail">(kind: K): Promise<Record<string, Answers[K]>> => {
      const pairs = sides.map(async (side) => [side, await match.ask(kind, { side })] as const);
      return Object.fromEntries(await Promise.all(pairs));
    };
    try {
      if (on("zoc")) {
        const answer = await each("zoc");
        if (wanted === match.shown) this.zoc = Object.fromEntries(Object.entries(answer).map(([s, a]) => [s, a.hexes]));
      }
      if (on("supply")) {
        const answer = await each("supply");
        const rail = await each("rail");
        if (wanted === match.shown) {
          this.supply = answer;
          this.rail = rail;
        }
      }
      if (on("strengths")) {
        const answer = await match.ask("strengths");
        if (wanted === match.shown) this.strengths = answer.hexes;
      }
      if (on("odds")) {
        const side = match.seats.find((s) => s.id === match.seat)?.side;
        const answer = await match.ask("all_odds", side ? { side } : {});
        if (wanted === match.shown) this.odds = answer.hexes;
      }
      if (on("trapped")) {
        const answer = await match.ask("trapped");
        if (wanted === match.shown) this.trapped = new Map(answer.units.map((u) => [u.unit, u]));
      }
      if (on("front")) {
        const answer = await match.ask("front");
        if (wanted === match.shown) this.front = answer.sides;
      }
    } catch {
      /* an overlay that cannot be had is left out; the banner speaks of lost connections */
    }
  }
}
