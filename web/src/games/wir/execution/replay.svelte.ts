import { api } from "../../../lib/net/api.ts";
import type { Point } from "../../../lib/map/geometry.ts";
import type { LogEntry, View } from "../../../lib/net/types.ts";
import { seatOf } from "../../../lib/state/match/trail.ts";
import { type Pace, prefs, STEP_TIMES } from "../../../lib/state/prefs.svelte.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { buildSteps, nextShown, type Step } from "./steps.ts";

interface Arrow {
  id: string;
  points: Point[];
  start: number;
  end: number;
  kind: string;
  side: string;
}

/** The execution of a week, shown on the map step by step: positions are those before it, moved on by its events. */
export class Replay {
  steps = $state.raw<Step[]>([]);
  at = $state(-1);
  playing = $state(false);
  /** The week whose report can be read, replayed or dismissed. */
  entry = $state.raw<LogEntry | null>(null);
  report = $state(false);
  /** Looking back from the replay of the game: one week's execution follows the other. */
  on = $state(false);
  private past = $state(false);
  private read = 0;
  private base: View | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly seen = new Map<string, LogEntry["turn"]>();

  constructor(private readonly table: Table) {}

  get running(): boolean {
    return this.at >= 0;
  }

  /** How fast it goes: what is watched on purpose can be followed, though others' moves are shown at once. */
  get pace(): Pace {
    if (prefs.value.pace !== "instant") return prefs.value.pace;
    return this.past ? "normal" : "fast";
  }

  get step(): Step | null {
    return this.steps[this.at] ?? null;
  }

  /** The newest execution this seat has not watched yet starts by itself; older ones only offer their report. */
  watch(): void {
    const { match } = this.table;
    // at one screen the next seat's log comes before its view, and each seat counts for itself
    if (!match.view || seatOf(match.view) !== match.seat) return;
    // the report makes way when the next order is given
    if (this.report && (match.view?.ply ?? 0) > this.read) this.report = false;
    if (this.running || match.historical || match.curtain || match.queued) return;
    const last = match.log.entries.findLast((e) => e.events.some((v) => v.kind === "segment"));
    if (!last || match.log.last + 1 < (match.view?.ply ?? 0)) return;
    const seen = this.seen.get(match.seat);
    this.seen.set(match.seat, last.turn);
    if (this.entry?.ply !== last.ply) {
      this.entry = last;
      this.report = false;
    }
    const fresh = seen === undefined ? last.ply >= this.opened : last.turn !== seen;
    if (fresh && prefs.stepTime > 0) void this.start(last);
    else if (fresh) this.conclude();
  }

  /** How far the game was when the page opened: what was carried out before is not played by itself. */
  opened = Infinity;

  async start(entry: LogEntry): Promise<void> {
    const { match } = this.table;
    this.past = match.historical !== null;
    if (!this.past && match.view) match.staged = { ...match.view, decision: null };
    const view = await api.view(match.id, match.seat, match.key, entry.ply).catch(() => null);
    if (!view) {
      match.staged = null;
      return;
    }
    this.base = view;
    this.entry = entry;
    this.steps = buildSteps(entry.events, new Map(view.units.map((u) => [u.id, u.hex])));
    if (!this.steps.length) {
      this.at = -1;
      match.staged = null;
      if (!(await this.onward())) this.open();
      return;
    }
    this.report = false;
    this.playing = true;
    this.show(0);
  }

  show(from: number): void {
    const { match, map, viewport } = this.table;
    clearTimeout(this.timer);
    const n = this.playing ? nextShown(this.steps, from, prefs.onlyBattles) : from;
    const step = this.steps[n];
    if (!step || !this.base) return this.finish();
    this.at = n;
    const places = step.places;
    const staged = {
      ...this.base,
      units: this.base.units.map((u) => ({
        ...u,
        hex: places.has(u.id) ? (places.get(u.id) ?? null) : u.hex,
        plot: "",
        strike: null,
      })) as View["units"],
      decision: null,
    };
    if (this.past) match.historical = { ...staged, at: this.entry?.ply ?? 0 };
    else match.staged = staged;
    const focus = map.byId.get(step.focus ?? "")?.centre;
    if (focus && (!viewport.shows(focus, 90) || this.covered(viewport.toScreen(focus))))
      viewport.centre(focus, null, prefs.calm);
    this.table.say(step.title);
    if (this.playing)
      this.timer = setTimeout(() => this.show(n + 1), Math.max(250, STEP_TIMES[this.pace] * step.weight));
  }

  /** Whether the player's own panel lies over a place: below on the left, or above on a narrow screen. */
  private covered(at: Point): boolean {
    const { width, height } = this.table.viewport;
    return width < 760 ? at.y < 230 : at.x < 660 && at.y > height - 290;
  }

  open(): void {
    this.read = this.table.match.view?.ply ?? 0;
    this.report = true;
  }

  /** The report comes by itself, but for the week that ends a lesson: then it says what became of the goal. */
  private conclude(): void {
    const { view } = this.table.match;
    if (!view?.goal || !view.outcome) this.open();
  }

  toggle(): void {
    this.playing = !this.playing;
    clearTimeout(this.timer);
    if (this.playing) this.show(Math.min(this.at + 1, this.steps.length - 1));
  }

  /** To the next or previous segment. */
  segment(by: number): void {
    const starts = this.steps.flatMap((s, i) => (s.kind === "segment" ? [i] : []));
    const to = by > 0 ? starts.find((i) => i > this.at) : starts.findLast((i) => i < this.at);
    if (to === undefined && by > 0) this.finish();
    else this.show(to ?? 0);
  }

  /** Ends the showing; of weeks that follow one another the next one begins, unless it is broken off. */
  finish(stop = false): void {
    clearTimeout(this.timer);
    this.at = -1;
    this.playing = false;
    this.table.match.staged = null;
    if (stop) this.on = false;
    if (!this.past) return this.conclude();
    void this.table.match.seek((this.entry?.ply ?? 0) + 1).then(async () => {
      if (!(await this.onward())) this.open();
    });
  }

  /** Another seat sits here now: what the one before saw of its week is put away. */
  forget(): void {
    clearTimeout(this.timer);
    this.at = -1;
    this.playing = false;
    this.on = false;
    this.entry = null;
    this.report = false;
  }

  private async onward(): Promise<boolean> {
    const next = this.on && this.past ? this.executions.find((e) => e.ply > (this.entry?.ply ?? Infinity)) : undefined;
    if (next) await this.start(next);
    else this.on = false;
    return next !== undefined;
  }

  /** Every execution on the log. */
  get executions(): LogEntry[] {
    return this.table.match.log.entries.filter((e) => e.events.some((v) => v.kind === "segment"));
  }

  get arrows(): Arrow[] {
    const { map } = this.table;
    const points = (hexes: string[]): Point[] =>
      hexes.map((h) => map.byId.get(h)?.centre).filter((p): p is Point => Boolean(p));
    return (this.step?.arrows ?? [])
      .map((a, i) => ({
        id: `${this.at}-${i}`,
        points: points([a.from, a.to]),
        start: a.kind === "move" ? 6 : 14,
        end: a.kind === "move" ? 8 : 34,
        kind: a.kind,
        side: this.table.unit(a.group)?.side ?? "",
      }))
      .filter((a) => a.points.length === 2);
  }

  get bursts(): { hex: string; text: string }[] {
    return this.step?.bursts ?? [];
  }
}

const replays = new WeakMap<Table, Replay>();

export function replayOf(table: Table): Replay {
  let replay = replays.get(table);
  if (!replay) {
    replay = new Replay(table);
    replays.set(table, replay);
  }
  return replay;
}
