import type { AutoAnswer, GameClient } from "../../games/types.ts";
import type { Decision, DecisionOption, Odds, Reach, Route, StaticUnit, ViewUnit, Why } from "../net/types.ts";
import type { MapModel } from "../map/model.ts";
import type { Point } from "../map/geometry.ts";
import { Viewport } from "../map/viewport.svelte.ts";
import { spokenGoal } from "./lessons.ts";
import type { MatchStore, AutoReply } from "./match.svelte.ts";
import { plainText } from "./marks.ts";
import { actingUnits, leaving, primaryOption } from "./options.ts";
import { prefs } from "./prefs.svelte.ts";

export interface Hint {
  hex: string;
  text: string;
  rule: string | null;
  tone: "plain" | "bad" | "good";
}
export interface Chooser {
  hex: string;
  options: DecisionOption[];
}

/** Where on the map, in shares of its width and height, a place may be brought that is to be looked at. */
const CLEARINGS: Point[] = [
  { x: 0.5, y: 0.5 },
  { x: 0.75, y: 0.45 },
  { x: 0.5, y: 0.2 },
  { x: 0.5, y: 0.82 },
  { x: 0.88, y: 0.3 },
  { x: 0.12, y: 0.2 },
];

/** The playing table: what is selected, hovered and pointed at, and what a click then means. */
export class Table {
  readonly viewport: Viewport;
  cursor = $state<string | null>(null);
  hovered = $state<string | null>(null);
  selected = $state<string | null>(null);
  fan = $state<string | null>(null);
  chooser = $state.raw<Chooser | null>(null);
  hint = $state.raw<Hint | null>(null);
  route = $state.raw<Route | null>(null);
  spotlight = $state.raw<string[]>([]);
  rule = $state<string | null>(null);
  dragging = $state<string | null>(null);
  announce = $state("");
  private pointed: string | null = null;
  private hoverTimer: ReturnType<typeof setTimeout> | undefined;
  private zig = 1;
  private drops = 0;

  constructor(
    readonly match: MatchStore,
    readonly map: MapModel,
    readonly game: GameClient,
  ) {
    this.viewport = new Viewport(map.width, map.height);
    match.destructiveVerbs = game.destructiveVerbs;
    match.atOnce = match.secret = game.ordersHidden ?? false;
    match.returned();
    match.autoAnswerFor = (decision) => this.autoReply(decision);
    match.giveAutoAnswer();
  }

  /** How the player wants a question that comes often to be put. */
  autoAnswerMode(autoAnswer: AutoAnswer): string {
    return prefs.value.ways[`${this.game.id}.${autoAnswer.kind}`] ?? autoAnswer.usual;
  }

  setAutoAnswerMode(autoAnswer: AutoAnswer, way: string): void {
    prefs.set({ ways: { ...prefs.value.ways, [`${this.game.id}.${autoAnswer.kind}`]: way } });
    this.match.giveAutoAnswer();
  }

  private autoReply(decision: Decision): AutoReply | null {
    const autoAnswer = this.game.autoAnswers?.find((a) => a.kind === decision.kind);
    const answer = autoAnswer?.answer(decision, this.autoAnswerMode(autoAnswer)) ?? null;
    return decision.options.some((o) => o.action === answer?.action) ? answer : null;
  }

  stacks = $derived.by(() => {
    const stacks = new Map<string, ViewUnit[]>();
    for (const u of this.match.shown?.units ?? []) {
      if (!u.hex || !this.map.byId.has(u.hex)) continue;
      const list = stacks.get(u.hex);
      if (list) list.push(u);
      else stacks.set(u.hex, [u]);
    }
    return stacks;
  });

  primary = $derived.by(() => primaryOption(this.match.index, this.game.primary));

  /** The units the present sub-step is about. */
  active = $derived.by((): string[] => {
    const d = this.match.view?.decision;
    if (this.game.interactions) return this.game.interactions.active(this);
    return d?.mine && d.options.some((o) => o.verb === "to" || o.verb === "at" || o.verb === "as") ? d.units : [];
  });

  /** The attack being put together, if one is: its hexes and the units chosen so far. */
  building = $derived.by((): { targets: string[]; units: string[] } | null => {
    const { index, view } = this.match;
    if (!index.verbs.some((v) => v.verb === "ready" || v.verb === "drop") || !view) return null;
    const units = index.verbs.find((v) => v.verb === "without")?.options.flatMap((o) => o.units) ?? [];
    return { targets: view.decision?.hexes ?? [], units };
  });

  /** Final odds of each planned attack, by its number. */
  planned = $state.raw<ReadonlyMap<number, string>>(new Map());

  async loadPlanned(): Promise<void> {
    const view = this.match.shown;
    const attacks = view?.attacks ?? [];
    if (!attacks.length || this.match.historical) {
      this.planned = new Map();
      return;
    }
    const standing = attacks.filter((a) => a.state === "open");
    const found = await Promise.all(
      standing.map(
        async (a) =>
          [
            a.n,
            await this.odds(a.targets, a.units)
              .then((o) => o.final)
              .catch(() => "?"),
          ] as const,
      ),
    );
    if (view === this.match.shown) this.planned = new Map(found);
  }

  /** An option in words, with names instead of bare ids. */
  label(option: DecisionOption): string {
    if (this.game.label) return sentence(this.game.label(option));
    const named = this.game.doneNames[`${this.match.view?.decision?.kind}:${option.verb}`];
    if (named) return named;
    const words = (option.label || option.action).split(" ").map((word) => {
      if (option.units.includes(word)) return this.unitName(word);
      return word === option.hex ? this.map.describe(word) : word;
    });
    const line = words.join(" ");
    const attack =
      option.number !== null && option.number !== undefined
        ? this.match.view?.attacks?.find((a) => a.n === option.number)
        : undefined;
    const about =
      attack && /attack/i.test(line) ? ` on ${attack.targets.map((t) => this.map.describe(t)).join(" and ")}` : "";
    return line.charAt(0).toUpperCase() + line.slice(1) + about;
  }

  /** Costs of the hexes in reach, from the engine; present while units are on the move. */
  reach = $state.raw<{
    costs: ReadonlyMap<string, { cost: number; dispersed: boolean }>;
    factor: number | null;
    bonus: number | null;
  } | null>(null);

  async loadReach(): Promise<void> {
    const view = this.match.view;
    this.reach = null;
    if (
      !this.active.length ||
      this.match.index.hexVerb !== "to" ||
      !/movement|move/.test(`${view?.decision?.kind} ${view?.phase.id}`)
    )
      return;
    const answer = await this.match.ask<Reach>("reach", { units: this.active.join(",") }).catch(() => null);
    if (!answer || view !== this.match.view) return;
    const costs = new Map(answer.plain.map((p) => [p.hex, { cost: p.cost, dispersed: false }]));
    for (const p of answer.dispersed) if (!costs.has(p.hex)) costs.set(p.hex, { cost: p.cost, dispersed: true });
    this.reach = { costs, factor: answer.factor ?? null, bonus: answer.bonus ?? null };
  }

  unit(id: string): StaticUnit | undefined {
    const known = this.map.units.get(id);
    if (known) return known;
    // a piece of which only side and kind are known
    const seen = this.match.shown?.units.find((u) => u.id === id);
    return seen?.side
      ? {
          id,
          name: seen.name ?? id,
          side: seen.side,
          nation: seen.nation ?? seen.side,
          type: seen.type ?? "",
          size: "",
          af: 0,
          df: 0,
          mf: 0,
        }
      : undefined;
  }

  unitName = (id: string): string => this.unit(id)?.name ?? id;

  whereIs(id: string): string | null {
    return this.match.shown?.units.find((u) => u.id === id)?.hex ?? null;
  }

  select(hex: string | null): void {
    this.selected = hex;
    this.chooser = null;
    if (hex) this.cursor = hex;
  }

  async send(action: string): Promise<boolean> {
    this.chooser = null;
    this.spotlight = [];
    this.clearHover();
    return this.match.send(action);
  }

  /** Takes the last step back, or all that one order has brought about. */
  undo(): Promise<void> {
    return this.match.undo(this.game.undoTo?.(this));
  }

  async choose(option: DecisionOption): Promise<void> {
    await this.send(option.action);
  }

  /** A click on a hex: the one option there, else a choice of them, else just a look. */
  async clickHex(hex: string): Promise<void> {
    if (await this.game.interactions?.click(this, hex, null)) return;
    const index = this.match.index;
    const here = index.byHex.get(hex) ?? [];
    this.select(hex);
    if (here.length === 1 && here[0]) return this.choose(here[0]);
    if (here.length > 1) {
      this.chooser = { hex, options: here };
      return;
    }
    const units = this.stacks.get(hex) ?? [];
    const options = units.flatMap((u) => index.byUnit.get(u.id) ?? []);
    if (options.length === 1 && options[0]) return this.choose(options[0]);
    if (options.length > 1) {
      this.chooser = { hex, options };
      this.fan = hex;
      return;
    }
    if (!units.length || !(await this.leaveFor(units.map((u) => u.id)))) await this.touchedInVain(hex);
  }

  /** A finger cannot point: what it touches in vain says why. */
  private async touchedInVain(hex: string): Promise<void> {
    this.clearHover();
    this.hovered = hex;
    await this.explain(hex);
  }

  async clickUnit(unit: string, hex: string): Promise<void> {
    if (await this.game.interactions?.click(this, hex, unit)) return;
    const index = this.match.index;
    const options = index.byUnit.get(unit) ?? [];
    if (options.length === 1 && options[0]) {
      this.select(hex);
      return this.choose(options[0]);
    }
    if (options.length > 1) {
      this.select(hex);
      this.chooser = { hex, options };
      return;
    }
    if (index.byHex.has(hex)) return this.clickHex(hex);
    this.select(hex);
    if (!(await this.leaveFor([unit]))) await this.touchedInVain(hex);
  }

  /** Ends the present sub-step in order to take up another unit, if the game then offers it. */
  private async leaveFor(units: string[]): Promise<boolean> {
    const leave = leaving(this.match.index, this.game.leave);
    const active = this.active;
    const side = active[0] ? this.unit(active[0])?.side : undefined;
    if (!leave || units.some((u) => active.includes(u)) || !units.some((u) => this.unit(u)?.side === side))
      return false;
    if (!(await this.send(leave.action))) return false;
    const options = units.flatMap((u) => this.match.index.byUnit.get(u) ?? []);
    if (options.length === 1 && options[0]) await this.choose(options[0]);
    else if (options.length > 1) this.chooser = { hex: this.whereIs(units[0] ?? "") ?? "", options };
    return true;
  }

  /** The big button was pressed once where it ends a phase in which units could still act. */
  armed = $state("");

  /** Units that have still to act. */
  idle = $derived.by(() => this.game.interactions?.waiting?.(this) ?? this.match.index.byUnit.size);

  /** Whether the big button would end a phase with units still to move. */
  ending = $derived.by(
    () =>
      this.primary?.verb === "done" &&
      this.game.asksBeforeEnd.includes(this.match.view?.decision?.kind ?? "") &&
      this.idle > 0,
  );

  /** A counter was dropped on a hex: waits until its taking-up is answered, then sets it down there. */
  async dropOn(hex: string, unit: string): Promise<void> {
    const drop = (this.drops += 1);
    for (let i = 0; i < 800 && this.match.busy; i += 1) await new Promise((r) => setTimeout(r, 25));
    // dropped anew meanwhile: the last place counts
    if (drop !== this.drops) return;
    if (await this.game.interactions?.drop(this, hex, unit)) return;
    const again = this.match.index.byUnit.get(unit);
    if (!this.match.index.byHex.has(hex) && again?.length === 1 && again[0]) await this.choose(again[0]);
    if (this.match.index.byHex.has(hex)) return this.clickHex(hex);
    this.select(hex);
    this.hovered = hex;
    await this.explain(hex);
  }

  async pressPrimary(): Promise<void> {
    if (this.match.queued) return this.match.flush();
    const option = this.primary;
    // a double click on "Halt" must not end the phase behind it
    if (performance.now() - this.match.changed < 280) return;
    if (!option) {
      const lost = this.match.index.plain.find((o) => o.gives_up);
      if (lost) this.say(`${this.label(lost)}: ${lost.gives_up}. Use its button if that is what you want.`);
      return;
    }
    const name = `${this.match.view?.version}`;
    if (this.ending && this.armed !== name) {
      this.armed = name;
      this.say("Units can still act. Press again to end the phase.");
      return;
    }
    this.armed = "";
    await this.choose(option);
  }

  async back(): Promise<void> {
    if (this.chooser) this.chooser = null;
    else if (!(await this.game.interactions?.back(this))) {
      const leave = leaving(this.match.index, this.game.leave);
      if (leave) await this.choose(leave);
      else this.select(null);
    }
  }

  hover(hex: string | null, unit: string | null = null): void {
    if (hex === this.hovered && unit === this.pointed) return;
    this.hovered = hex;
    this.pointed = unit;
    this.clearHover(false);
    if (hex) this.hoverTimer = setTimeout(() => void this.explain(hex), 70);
  }

  clearHover(forget = true): void {
    clearTimeout(this.hoverTimer);
    this.hint = null;
    this.route = null;
    if (forget) this.hovered = null;
  }

  /** What would happen here, or why it cannot: asked of the engine, never worked out. */
  async explain(hex: string): Promise<void> {
    const own = await this.game.interactions?.explain(this, hex, this.pointed);
    if (own !== undefined) {
      if (this.hovered === hex || this.cursor === hex) this.hint = own;
      return;
    }
    const index = this.match.index;
    const still = () => this.hovered === hex || this.cursor === hex;
    const offered = index.byHex.get(hex)?.[0];
    const units = this.stacks.get(hex) ?? [];
    const takeUp =
      index.byUnit.get(this.pointed ?? "")?.[0] ?? units.map((u) => index.byUnit.get(u.id)?.[0]).find(Boolean);
    if (offered && !(this.pointed && index.byUnit.has(this.pointed))) {
      const step = this.reach?.costs.get(hex);
      const text = step
        ? `${step.cost} movement ${step.cost === 1 ? "factor" : "factors"}${step.dispersed ? ", arrives Dispersed" : ""}`
        : (this.game.hereNames?.[offered.verb] ?? this.label(offered));
      this.hint = { hex, text, rule: null, tone: step?.dispersed ? "plain" : "good" };
      if (this.reach) {
        const route = await this.match.ask<Route>("route", { units: this.active.join(","), to: hex }).catch(() => null);
        if (route?.hexes && still()) this.route = route;
      }
      return;
    }
    if (takeUp) {
      this.hint = { hex, text: this.label(takeUp), rule: null, tone: "good" };
      return;
    }
    const action = this.question(hex, units);
    if (!action) return;
    await new Promise((resolve) => setTimeout(resolve, 130));
    if (!still()) return;
    const why = await this.match.ask<Why>("why", { action }).catch(() => null);
    if (why && why.legal === false && why.reason && still())
      this.hint = { hex, text: sentence(why.reason), rule: why.rule ?? null, tone: "bad" };
  }

  /** The action a click here would be an attempt at, for a "why not". */
  private question(hex: string, units: ViewUnit[]): string | null {
    const index = this.match.index;
    const mine = this.match.view?.decision?.side;
    if (index.hexVerb === "attack" || index.hexVerb === "also") {
      return units.some((u) => this.unit(u.id)?.side !== mine) ? `${index.hexVerb} ${hex}` : null;
    }
    if (index.hexVerb) return `${index.hexVerb} ${hex}`;
    const own = units.find(
      (u) => this.unit(u.id)?.side === (this.match.view?.decision?.side ?? this.match.view?.phase.side),
    );
    return index.unitVerb && own ? `${index.unitVerb} ${own.id}` : null;
  }

  odds(targets: string[], units: string[]): Promise<Odds> {
    return this.match.ask<Odds>("odds", { targets: targets.join(","), units: units.join(",") });
  }

  /** Next place where something can be done: from north to south, each row from west to east. */
  next(step = 1): void {
    if (this.game.interactions?.next(this, step)) return;
    const index = this.match.index;
    const standing = actingUnits(index)
      .map((u) => this.whereIs(u))
      .filter((h): h is string => h !== null);
    const hexes = [...new Set(standing.length ? standing : index.byHex.keys())]
      .map((h) => this.map.byId.get(h))
      .filter((h) => h !== undefined);
    hexes.sort((a, b) => a.y - b.y || a.x - b.x);
    if (!hexes.length) return;
    const here = hexes.findIndex((h) => h.id === this.cursor);
    const hex = hexes[(here + step + hexes.length + (here < 0 && step < 0 ? 1 : 0)) % hexes.length]!.id;
    this.select(hex);
    this.look(hex);
    this.say(this.tellHex(hex));
  }

  look(hex: string, k: number | null = null): void {
    const centre = this.map.byId.get(hex)?.centre;
    if (!centre) return;
    if (k || !this.viewport.shows(centre) || this.covered(this.viewport.toScreen(centre))) this.bring(centre, k);
  }

  /** Of a few choices on the map one at least is to be seen. */
  lookAtChoices(): void {
    const { byHex, byUnit } = this.match.index;
    const places = new Set([
      ...byHex.keys(),
      ...[...byUnit.keys()].map((u) => this.whereIs(u)).filter((h): h is string => h !== null),
    ]);
    const [first] = places;
    const centres = [...places].map((h) => this.map.byId.get(h)?.centre).filter((p): p is Point => p !== undefined);
    if (
      first &&
      places.size <= 12 &&
      !centres.some((p) => this.viewport.shows(p) && !this.covered(this.viewport.toScreen(p)))
    )
      this.look(first);
  }

  /** Whether a card or the small map lies over a point of the window that shows the map. */
  private covered({ x, y }: Point): boolean {
    const map = document.getElementById("map");
    if (!map) return false;
    const { left, top } = map.getBoundingClientRect();
    return !document.elementFromPoint(left + x, top + y)?.closest("#map");
  }

  /** Brings a point of the map into the middle, or beside the card that would lie over it. */
  private bring(point: Point, k: number | null): void {
    const free = CLEARINGS.find((at) => !this.covered(this.viewport.landing(point, k, at)));
    this.viewport.centre(point, k, prefs.calm, free);
  }

  /** A lesson's goal is read out, and what it is about comes into view; false in a game without one. */
  showGoal(): boolean {
    const { goal, turn } = this.match.shown ?? {};
    if (!goal || !turn) return false;
    const units = goal.units.map((u) => this.whereIs(u)).filter((h): h is string => h !== null);
    const [first, ...others] = goal.hexes.length ? goal.hexes : units;
    if (first) this.goTo(first);
    this.spotlight = [...others, ...units];
    setTimeout(() => (this.spotlight = []), 4000);
    this.say(spokenGoal(goal, turn.number));
    return true;
  }

  goTo(hex: string): void {
    if (!this.map.byId.has(hex)) return;
    this.select(hex);
    const centre = this.map.byId.get(hex)!.centre;
    this.bring(centre, Math.max(this.viewport.k, 0.75));
  }

  /** Arrow keys: straight on along a line of hexes; across it keeping the line as well as the hexes allow. */
  moveCursor(dx: number, dy: number): void {
    const here =
      this.map.byId.get(this.cursor ?? "") ??
      this.map.at(this.viewport.toWorld({ x: this.viewport.width / 2, y: this.viewport.height / 2 })) ??
      this.map.hexes[0];
    if (!here) return;
    if (this.map.lattice.flat ? dx : dy) this.zig = -this.zig;
    const [d, other] = this.map.lattice.stepsFor(dx, dy, this.zig);
    const to = this.cursor ? (this.map.step(here, d) ?? this.map.step(here, other)) : here;
    if (!to) return;
    this.cursor = to.id;
    this.chooser = null;
    this.fan = null;
    this.pointed = null;
    this.viewport.reveal(to.centre, true);
    this.hovered = to.id;
    this.hint = null;
    this.route = null;
    void this.explain(to.id).then(
      () => this.cursor === to.id && this.hint && this.say(`${this.tellHex(to.id)}. ${this.hint.text}`),
    );
    this.say(this.tellHex(to.id));
  }

  say(text: string): void {
    this.announce = plainText(text, this.unitName);
  }

  /** A hex in one spoken line. */
  tellHex(id: string): string {
    const hex = this.map.byId.get(id);
    if (!hex) return id;
    const units = (this.stacks.get(id) ?? []).map((u) => {
      const s = this.unit(u.id);
      return s ? this.game.tell(s, u) : u.id;
    });
    const option = this.match.index.byHex.get(id)?.[0];
    return [
      id,
      hex.place?.name,
      this.game.terrainNames[hex.terrain] ?? hex.terrain,
      units.join("; "),
      option ? this.label(option) : "",
    ]
      .filter(Boolean)
      .join(", ");
  }
}

/** The engine's reasons are half sentences; alone they begin with a capital. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
