import { adviceOf } from "../../analysis/advice.svelte.ts";
import { unfollow } from "../../analysis/following.ts";
import type { AutoAnswer, GameClient } from "../../../games/types.ts";
import type { MapModel } from "../../map/model.ts";
import { Viewport } from "../../map/viewport.svelte.ts";
import type { Decision, DecisionOption, StaticUnit, ViewUnit } from "../../net/types.ts";
import { goalTitle, spokenGoal } from "../lessons.ts";
import { plainText } from "../marks.ts";
import type { AutoReply } from "../match/autoAnswers.svelte.ts";
import type { MatchStore } from "../match/match.svelte.ts";
import { prefs } from "../prefs.svelte.ts";
import { Attacks } from "./attacks.svelte.ts";
import { Camera } from "./camera.ts";
import { CursorKeys } from "./cursor.ts";
import { Ways } from "./ways.svelte.ts";
import { Pen } from "../../mapNotes/pen.svelte.ts";
import { Hints } from "./hints.svelte.ts";
import { DOUBLE_CLICK_MS, MainButton } from "./mainButton.svelte.ts";
import { leaving } from "./options.ts";
import { OrderLines } from "./orderLines.ts";
import { Carrying } from "./carrying.ts";
import { hexInWords, optionLabel } from "./words.ts";

export interface Chooser {
  hex: string;
  options: DecisionOption[];
}

/** The playing table: what is selected, hovered and pointed at, and what a click then means. */
export class Table {
  readonly viewport: Viewport;
  readonly camera: Camera;
  readonly attacks: Attacks;
  readonly hints = new Hints(this);
  readonly mainButton = new MainButton(this);
  readonly cursorKeys = new CursorKeys(this);
  readonly ways = new Ways(this);
  readonly carrying = new Carrying(this);
  readonly pen = new Pen(this);
  readonly orderLines = new OrderLines(this);
  cursor = $state<string | null>(null);
  selected = $state<string | null>(null);
  fan = $state<string | null>(null);
  chooser = $state.raw<Chooser | null>(null);
  spotlight = $state.raw<string[]>([]);
  rule = $state<string | null>(null);
  dragging = $state<string | null>(null);
  announce = $state("");

  constructor(
    readonly match: MatchStore,
    readonly map: MapModel,
    readonly game: GameClient,
  ) {
    this.viewport = new Viewport(map.width, map.height);
    this.camera = new Camera(this.viewport, map);
    this.attacks = new Attacks(match, game);
    match.destructiveVerbs = game.destructiveVerbs;
    match.events = game.events;
    match.atOnce = match.hotSeat.secret = game.ordersHidden ?? false;
    match.hotSeat.returned(match.seat);
    match.autoAnswers.replyTo = (decision) => this.autoReply(decision);
    match.autoAnswers.give();
  }

  /** How the player wants a question that comes often to be put. */
  autoAnswerMode(autoAnswer: AutoAnswer): string {
    return prefs.value.ways[`${this.game.id}.${autoAnswer.kind}`] ?? autoAnswer.usual;
  }

  setAutoAnswerMode(autoAnswer: AutoAnswer, way: string): void {
    prefs.set({ ways: { ...prefs.value.ways, [`${this.game.id}.${autoAnswer.kind}`]: way } });
    this.match.autoAnswers.give();
  }

  private autoReply(decision: Decision): AutoReply | null {
    const autoAnswer = this.game.autoAnswers?.find((a) => a.kind === decision.kind);
    if (autoAnswer?.taught && this.match.view?.goal) return null;
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

  /** The units the present sub-step is about. */
  active = $derived.by((): string[] => {
    const d = this.match.view?.decision;
    if (this.game.interactions) return this.game.interactions.active(this);
    return d?.mine && d.options.some((o) => this.game.verbs.setsDown.includes(o.verb)) ? d.units : [];
  });

  label(option: DecisionOption): string {
    return optionLabel(this, option);
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
          type_title: seen.type ?? "",
          size: "",
          af: 0,
          df: 0,
          mf: 0,
        }
      : undefined;
  }

  /** The side of who sits here; empty for those who only look on. */
  get side(): string {
    return this.match.seats.find((s) => s.id === this.match.seat)?.side ?? "";
  }

  unitName = (id: string): string => this.unit(id)?.name ?? id;
  sideOf = (id: string): string => this.unit(id)?.side ?? "";

  whereIs(id: string): string | null {
    return this.match.shown?.units.find((u) => u.id === id)?.hex ?? null;
  }

  select(hex: string | null): void {
    this.selected = hex;
    this.chooser = null;
    if (hex) this.cursor = hex;
  }

  /** Another player sits here now: what the last one pointed at, and read of it, is put away. */
  forget(): void {
    this.select(null);
    this.cursor = this.fan = this.rule = this.dragging = null;
    this.spotlight = [];
    this.announce = "";
    this.hints.clear();
    this.hints.reach = null;
    this.attacks.planned = new Map();
  }

  async send(action: string): Promise<boolean> {
    this.chooser = null;
    this.spotlight = [];
    this.hints.clear();
    const advice = adviceOf(this);
    const from = advice.current && advice.level ? this.match.view?.ply : undefined;
    const sent = await this.match.send(action);
    if (sent && from !== undefined) advice.strayed.note(from);
    return sent;
  }

  /** Takes the last step back, or all that one order or one press has brought about. */
  async undo(): Promise<void> {
    await this.match.undo(this.orderLines.undoTo());
    this.orderLines.cut();
    unfollow(this, adviceOf(this));
  }

  async choose(option: DecisionOption): Promise<void> {
    await this.send(option.action);
  }

  /** A click on a hex: the one option there, else a choice of them, else just a look. `whole`: with all that go along. */
  async clickHex(hex: string, whole = false): Promise<void> {
    if (this.pen.click(hex)) return;
    this.match.notices.pass();
    if (await this.game.interactions?.click(this, hex, null)) return;
    const index = this.match.index;
    const here = index.byHex.get(hex) ?? [];
    this.select(hex);
    if (whole && (await this.game.clickForAll?.(this, hex))) return;
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
    const oneWay = this.ways.at(hex);
    if (oneWay) return void (await this.send(oneWay.line));
    if (this.active.some((u) => this.whereIs(u) === hex) && (await this.putDown())) return;
    if (!units.length || !(await this.leaveFor(units.map((u) => u.id)))) await this.hints.touchedInVain(hex);
  }

  async clickUnit(unit: string, hex: string, whole = false): Promise<void> {
    if (this.pen.click(hex)) return;
    this.match.notices.pass();
    if (await this.game.interactions?.click(this, hex, unit)) return;
    if (whole && (await this.game.clickForAll?.(this, hex))) return;
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
    if (index.byHex.has(hex) || this.ways.at(hex)) return this.clickHex(hex, whole);
    this.select(hex);
    if (this.active.includes(unit) && (await this.putDown())) return;
    if (!(await this.leaveFor([unit]))) await this.hints.touchedInVain(hex);
  }

  /** Ends the present sub-step where the units in hand stand, if that gives nothing up; a double click counts once. */
  private async putDown(): Promise<boolean> {
    const leave = leaving(this.match.index, this.game.leave);
    if (!leave) return false;
    if (performance.now() - this.match.changed < DOUBLE_CLICK_MS) return true;
    return this.send(leave.action);
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

  async back(): Promise<void> {
    if (this.chooser) this.chooser = null;
    else if (this.mainButton.disarm()) return;
    else if (!(await this.game.interactions?.back(this))) {
      const leave = leaving(this.match.index, this.game.leave);
      if (leave) await this.choose(leave);
      else this.select(null);
    }
  }

  /** Of a few choices on the map one at least is to be seen. */
  lookAtChoices(): void {
    const { byHex, byUnit } = this.match.index;
    const standing = [...byUnit.keys()].map((u) => this.whereIs(u)).filter((h): h is string => h !== null);
    this.camera.lookAtOneOf(new Set([...byHex.keys(), ...standing]));
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
    this.say(spokenGoal(goal, turn.number, goalTitle(goal, this.side, this.game.sides)));
    return true;
  }

  goTo(hex: string): void {
    if (!this.map.byId.has(hex)) return;
    this.select(hex);
    this.camera.closeUp(hex);
  }

  say(text: string): void {
    this.announce = plainText(text, this.unitName);
  }

  tellHex(id: string): string {
    return hexInWords(this, id) + this.pen.told(id);
  }
}
