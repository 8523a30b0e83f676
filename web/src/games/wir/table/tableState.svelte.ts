import { RefusedError } from "../../../lib/net/call.ts";
import type { DecisionOption, Refusal, StaticUnit } from "../../../lib/net/types.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { averageOf, type Supposed, Suppositions } from "./suppositions.svelte.ts";
import { plotEntry } from "../model/plots.ts";
import {
  ask,
  type Preview,
  type Reach,
  type Strikes,
  type DepotReach,
  type WirUnit,
  type WirView,
  wirView,
} from "../model/types.ts";

export type Mode = "march" | "plot" | "rail" | "strike";
/** The verb that a way of sending a group stands for. */
export const VERB_OF: Record<Mode, string> = { march: "step", plot: "plot", rail: "railmove", strike: "ground" };

/** What this game keeps in addition to the common table: the group in hand, how it is to go, what the engine says of it. */
export class WirTableState {
  mode = $state<Mode>("march");
  reach = $state.raw<Reach | null>(null);
  waves = $state.raw<DepotReach | null>(null);
  /** An air group's range, and what its strike on the hex pointed at, or on the one plotted, may come to. */
  strikes = $state.raw<Strikes | null>(null);
  /** A trial: the hex pointed at and what an attack on it would give. */
  preview = $state.raw<{ hex: string; groups: string[]; odds: Preview } | null>(null);
  /** Why the attack plotted does not come about, as far as one's own orders go. */
  barred = $state.raw<Refusal | null>(null);
  ledger = $state<string | null>(null);
  /** The side whose books one has asked for, where those of both are open. */
  wanted = $state("");
  /** The menus of the adjustment that stand open. */
  opened = $state.raw<ReadonlySet<string>>(new Set(["build"]));
  private asked = 0;
  private last: string | null = null;
  readonly suppositions: Suppositions;

  constructor(readonly table: Table) {
    this.suppositions = new Suppositions(table);
  }

  get view(): WirView | null {
    return wirView(this.table.match.shown);
  }

  get kind(): string {
    const d = this.table.match.view?.decision;
    return d?.mine && !this.table.match.historical && !this.table.match.staged && !this.table.match.queued
      ? d.kind
      : "";
  }

  get side(): string {
    const { match } = this.table;
    return match.seats.find((s) => s.id === match.seat)?.side ?? match.view?.decision?.side ?? "";
  }

  /** Sides whose pools may be read: one's own, and both when the game is over. */
  readable = $derived.by((): string[] => ["axis", "soviet"].filter((s) => this.view?.pools?.[s]));
  /** The side whose books are shown. */
  books = $derived.by(
    (): string => [this.wanted, this.side].find((s) => this.readable.includes(s)) ?? this.readable[0] ?? this.side,
  );

  /** The groups that the question is about, and its hexes. */
  about = $derived.by((): string[] => (this.kind ? (this.table.match.view?.decision?.units ?? []) : []));
  places = $derived.by((): string[] => (this.kind ? (this.table.match.view?.decision?.hexes ?? []) : []));
  /** The group or depot in hand. */
  group = $derived.by((): string | null => {
    if (this.kind === "depot") return this.view?.depot?.id ?? null;
    return this.kind === "orders" ? (this.view?.selected ?? null) : null;
  });
  inHand = $derived(this.group ? (this.unit(this.group) ?? null) : null);
  options = $derived.by(() => this.table.match.index.verbs);
  /** The plots offered, by their text. */
  plots = $derived(new Map(this.of("plot").map((o) => [o.plot ?? "", o])));
  /** The plot of the group in hand, or nothing. */
  plot = $derived(this.inHand?.plot ?? "");
  entry = $derived.by(() => (this.plot ? plotEntry(this.table.map, this.plot) : null));

  open(menu: string, open: boolean): void {
    if (this.opened.has(menu) !== open)
      this.opened = open ? new Set([...this.opened, menu]) : new Set([...this.opened].filter((m) => m !== menu));
  }

  of(verb: string): DecisionOption[] {
    return this.options.find((v) => v.verb === verb)?.options ?? [];
  }

  has(verb: string): boolean {
    return this.options.some((v) => v.verb === verb);
  }

  one(verb: string): DecisionOption | null {
    return this.of(verb)[0] ?? null;
  }

  unit(id: string): WirUnit | undefined {
    return this.view?.units.find((u) => u.id === id);
  }

  fixed(id: string): StaticUnit | undefined {
    return this.table.unit(id);
  }

  own(id: string): boolean {
    return this.fixed(id)?.side === this.side;
  }

  enemiesIn(hex: string): WirUnit[] {
    return (this.table.stacks.get(hex) ?? []).filter((u) => this.fixed(u.id)?.side !== this.side);
  }

  /** Hexes where the group in hand can be sent by the way chosen, with the figure to be written there. */
  lit = $derived.by((): Map<string, { cost: number | null; rough?: boolean }> => {
    const hexes = new Map<string, { cost: number | null; rough?: boolean }>();
    if (this.kind === "depot") {
      const waves = this.waves?.waves ?? [];
      const entered = this.view?.depot?.penalty ?? 0;
      waves.forEach((wave, n) => wave.forEach((h) => hexes.set(h, { cost: entered + n })));
      if (!waves.length) for (const o of this.of("depot")) if (o.hex) hexes.set(o.hex, { cost: null });
      return hexes;
    }
    if (this.kind !== "orders" || !this.inHand?.hex) return hexes;
    if (this.mode === "rail") for (const o of this.of("railmove")) if (o.hex) hexes.set(o.hex, { cost: null });
    if (this.mode === "march") for (const p of this.reach?.plain ?? []) hexes.set(p.hex, { cost: p.cost });
    if (this.mode === "strike")
      for (const v of ["ground", "bomb"]) for (const o of this.of(v)) if (o.hex) hexes.set(o.hex, { cost: null });
    return hexes;
  });

  /** Modes that the group in hand can be sent by. */
  modes = $derived.by((): Mode[] => {
    if (this.kind !== "orders") return [];
    const found: Mode[] = [];
    if (this.has("step") || (this.reach?.plain.length ?? 0) > 0) found.push("march");
    if (this.plots.size) found.push("plot");
    if (this.has("railmove")) found.push("rail");
    if (this.has("ground") || this.has("bomb")) found.push("strike");
    return found;
  });

  /** Asks the engine what the new position means for the piece in hand. */
  async load(): Promise<void> {
    const turn = (this.asked += 1);
    this.preview = null;
    this.barred = null;
    // at once as well: a key that comes before the answer does not go on from the way of the group before
    if (this.group !== this.last && this.modes.length) this.mode = this.usual();
    if (this.kind === "orders" && this.group) {
      const reach = await ask(this.table, "reach", { unit: this.group }).catch(() => null);
      if (turn === this.asked) this.reach = reach;
    } else this.reach = null;
    this.strikes = null;
    if (this.group && this.fixed(this.group)?.type === "air" && this.kind === "orders")
      await this.sight(this.inHand?.strike?.hex ?? "");
    if (turn !== this.asked) return;
    if (this.kind === "depot") {
      const waves = await ask(this.table, "depot").catch(() => null);
      if (turn === this.asked) this.waves = waves;
    } else this.waves = null;
    // what the plot there is would come to
    const target = this.inHand?.plot_meets;
    if (turn === this.asked && target) void this.tryAttack(target);
    if (turn !== this.asked) return;
    if (!this.modes.length) {
      this.last = this.group;
      return;
    }
    if (this.group !== this.last) this.mode = this.usual();
    if (!this.modes.includes(this.mode)) this.mode = this.modes[0]!;
    this.last = this.group;
  }

  /** How a group newly taken up is sent: its strike, the plot it has, or else the march. */
  private usual(): Mode {
    if (this.modes.includes("strike")) return "strike";
    return this.plot && this.modes.includes("plot") ? "plot" : this.modes[0]!;
  }

  /** Sends the group in hand in this way, whatever of it is still being asked for. */
  choose(mode: Mode): void {
    this.mode = mode;
    this.last = this.group;
  }

  /** Supposes something of a hidden group, or nothing more. */
  suppose(group: string, what: Supposed | null): void {
    this.suppositions.set(group, what);
    if (this.preview) void this.tryAttack(this.preview.hex);
  }

  /** A first guess at a hidden group: as an average one of one's own of that kind. */
  average(type: string): Supposed {
    const own = (this.view?.units ?? []).filter((u) => this.own(u.id) && this.fixed(u.id)?.type === type);
    return averageOf(own.filter((u) => u.units?.length));
  }

  async sight(target: string): Promise<Strikes | null> {
    if (!this.group) return null;
    const found = await ask(this.table, "strike", { unit: this.group, target }).catch(() => null);
    if (found && this.kind === "orders") this.strikes = found;
    return found;
  }

  /** What an attack of the group in hand would come to, together with those already plotted into the hex. */
  async tryAttack(hex: string): Promise<Preview | null> {
    if (!this.group) return null;
    const assume = this.suppositions.written(this.enemiesIn(hex));
    this.barred = null;
    const odds = await ask(this.table, "odds", { units: this.group, target: hex, join: "plots", assume }).catch(
      (error) => {
        if (error instanceof RefusedError) this.barred = error.refusal;
        return null;
      },
    );
    this.preview = odds ? { hex, groups: odds.units, odds } : null;
    return odds;
  }
}

const states = new WeakMap<Table, WirTableState>();

export function wirState(table: Table): WirTableState {
  let wir = states.get(table);
  if (!wir) {
    wir = new WirTableState(table);
    states.set(table, wir);
  }
  return wir;
}
