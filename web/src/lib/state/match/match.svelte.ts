import { api, OfflineError } from "../../net/api.ts";
import { byLetters } from "../../net/letters.ts";
import { liveUrl } from "../../net/live.ts";
import { ViewCache } from "../../net/viewCache.ts";
import type { Answers as Known, GameAnswers, SeatInfo, View } from "../../net/types.ts";
import { noteDice } from "../../dice/notes.ts";
import type { MapModel } from "../../map/model.ts";
import { type EventKinds, NO_KINDS } from "../eventKinds.ts";
import { indexOptions } from "../table/options.ts";
import { Answers, type Args } from "./answers.ts";
import { Arrivals } from "./arrivals.svelte.ts";
import { AutoAnswers } from "./autoAnswers.svelte.ts";
import { Connection } from "./connection.svelte.ts";
import { receive } from "./receive.ts";
import { HandOver } from "./handOver.ts";
import { HotSeat } from "./hotSeat.svelte.ts";
import { keep } from "./keys.ts";
import { GameLog, soon } from "./log.svelte.ts";
import { type Notice, Notices } from "./notices.svelte.ts";
import { type Complete, openMatch } from "./opening.ts";
import { Orders } from "./orders.svelte.ts";
import { few, isPast, type Move, seatOf, since, trailOf } from "./trail.ts";

/** One match as this browser sees it: the position shown, what is asked, and the way to answer. */
export class MatchStore {
  view = $state.raw<View | null>(null);
  map = $state.raw<MapModel | null>(null);
  seats = $state.raw<SeatInfo[]>([]);
  seat = $state("");
  keys = $state.raw<Record<string, string>>({});
  thinking = $state.raw<{ seat: string; done?: number; total?: number; text?: string } | null>(null);
  historical = $state.raw<View | null>(null);
  /** A position made up of steps within the last action, while they are shown one by one. */
  staged = $state.raw<View | null>(null);
  failed = $state("");
  /** Counts the news of the seats; a page that shows them asks again. */
  seatNews = $state(0);
  /** Count what was said at the table, and what was drawn on the map. */
  talkNews = $state(0);
  mapNotesNews = $state(0);
  /** Where units of others went in the step just shown. */
  trail = $state.raw<Move[]>([]);
  /** Verbs of the game that undo a unit; set once the game is known. */
  destructiveVerbs = $state.raw<readonly string[]>([]);
  /** What its events mean; set once the game is known. */
  events: EventKinds = NO_KINDS;
  /** What others do is shown where it ends, not step by step. */
  atOnce = false;
  /** When the position last changed, to tell a double click from a second wish. */
  changed = 0;
  readonly log: GameLog;
  readonly hotSeat: HotSeat;
  private readonly handOver = new HandOver(this);
  readonly notices: Notices;
  readonly autoAnswers = new AutoAnswers(this);
  readonly connection: Connection;
  readonly orders = new Orders(this);
  readonly arrivals = new Arrivals(this);
  private readonly answers = new Answers(<T>(kind: string, args: Args) =>
    api.query<T>(this.id, this.seat, this.key, kind, args),
  );
  /** What this seat was shown last, as the server tells only what changes. */
  shownBefore = new ViewCache();
  private refreshing = false;
  private lastOwn: View | null = null;

  constructor(
    readonly id: string,
    private readonly complete: Complete = (_, source) => Promise.resolve(source),
  ) {
    this.log = new GameLog(id, () => ({ seat: this.seat, key: this.key }));
    this.hotSeat = new HotSeat(id);
    this.notices = new Notices(id);
    this.connection = new Connection({
      url: () => (byLetters(this.id) ? "" : liveUrl(this.id, this.seat, this.shownBefore.tag)),
      key: () => this.key,
      receive: (message) => receive(this, message),
      refresh: () => this.refresh(),
    });
  }

  get key(): string {
    return this.keys[this.seat] ?? "";
  }

  get busy(): boolean {
    return this.orders.busy;
  }

  /** Steps of others still to be shown. */
  get queued(): number {
    return this.arrivals.playback.waiting;
  }

  /** What the map draws: the present, or a past position while the slider is back. */
  get shown(): View | null {
    return this.historical ?? this.staged ?? this.view;
  }

  /** The seat that is to sit down before anything is shown. */
  get curtain(): string | null {
    return this.hotSeat.curtain;
  }

  index = $derived(
    indexOptions(
      this.historical || this.staged || this.curtain || this.queued || isPast(this.view) || this.autoAnswers.pending
        ? null
        : (this.view?.decision ?? null),
      this.view?.attacks,
      this.destructiveVerbs,
    ),
  );

  async open(lookingOn = false): Promise<void> {
    try {
      const { keys, seat, view, map, seats } = await openMatch(this.id, this.complete, lookingOn);
      this.keys = keys;
      this.seat = seat;
      this.map = map;
      this.seats = seats;
      this.shownBefore.keep(view);
      this.hotSeat.follow(view);
      await soon(this.log.reload());
      await this.show(view);
      this.notices.tellOfRules(view);
      this.connection.open();
    } catch (error) {
      this.failed = error instanceof Error ? error.message : String(error);
    }
  }

  /** A position as this seat may know it, the present one if none is named. */
  at(ply?: number): Promise<View> {
    return api.view(this.id, this.seat, this.key, ply);
  }

  /** Other keys from now on, as when the old ones were made void. */
  rekey(keys: Record<string, string>): void {
    this.keys = keys;
    keep(this.id, keys);
    this.connection.open();
  }

  /** A position that came by itself: somebody else moved. */
  incoming(view: View): void {
    if (seatOf(view) === this.seat && !this.arrivals.isStale(view)) this.notices.tellOfRules(view);
    if (this.arrivals.take(view)) this.thinking = null;
  }

  /** Skip to the present. */
  flush(): void {
    const last = this.arrivals.playback.stop();
    if (last) void this.show(last);
    else void this.refresh();
  }

  async show(view: View): Promise<void> {
    this.answers.clear();
    this.arrivals.note(view);
    const before = this.view;
    this.view = view;
    if (view.dice) noteDice(this.id, view.dice, view.outcome != null);
    if (before && before.ply !== view.ply) this.changed = performance.now();
    if (before?.decision?.mine) this.lastOwn = before;
    if (before) this.trail = this.atOnce ? since(this.lastOwn, view, this.seat) : few(trailOf(before, view, this.seat));
    if (!isPast(view)) {
      if (before && view.ply < before.ply) this.log.cut(view.ply);
      else this.log.take(view);
      // when it is over, what was kept from this seat can be read
      if (before && !before.outcome && view.outcome) void this.log.change();
    }
    if (!isPast(view) && !this.queued) await this.handOver.to(view);
    this.autoAnswers.give();
  }

  isMine(seat: string, view: View): boolean {
    return Boolean(this.keys[seat]) && view.controllers[seat]?.kind !== "bot";
  }

  viewOf(seat: string): Promise<View> {
    return api.view(this.id, seat, this.keys[seat] ?? "");
  }

  /** Hot seat: the same screen now speaks for another seat. */
  async sitAt(seat: string, theirs?: View): Promise<void> {
    const from = this.seat;
    this.seat = seat;
    this.shownBefore = new ViewCache();
    const { view: shown } = this;
    const people = Object.keys(shown?.controllers ?? {}).filter((s) => shown && this.isMine(s, shown)).length;
    this.hotSeat.handOver(from, seat, people, this.view);
    this.putAway();
    const [view] = await Promise.all([theirs ?? this.at(), soon(this.log.change())]);
    this.shownBefore.keep(view);
    this.answers.clear();
    this.view = view;
    this.changed = performance.now();
    this.arrivals.startFrom(view);
    this.connection.open();
    // the one asked may have answered elsewhere while this view was under way
    await this.handOver.to(view);
    this.autoAnswers.give();
  }

  /** What the last seat was shown and told is not for the next one. */
  private putAway(): void {
    this.staged = this.historical = null;
    this.notices.current = null;
    this.autoAnswers.note = "";
    if (!this.hotSeat.secret) return;
    this.lastOwn = null;
    this.trail = [];
  }

  /** The player who sits here now has said so. */
  liftCurtain(): void {
    this.hotSeat.lift(this.seat);
    this.autoAnswers.give();
  }

  async refresh(): Promise<void> {
    if (this.refreshing) return;
    this.refreshing = true;
    try {
      const view = await this.at();
      this.connection.heard();
      if (this.arrivals.isNew(view)) this.incoming(view);
      else if (!this.arrivals.isStale(view) && !this.arrivals.playback.running && view.ply !== this.view?.ply)
        await this.show(view);
    } catch (error) {
      if (error instanceof OfflineError) this.connection.offline = true;
    } finally {
      this.refreshing = false;
    }
  }

  /** Sends one action; a second call while the first is under way does nothing. */
  async send(action: string, unasked = false): Promise<boolean> {
    const { view } = this;
    if (this.busy || !view || this.historical || this.staged || this.curtain) return false;
    this.autoAnswers.note = "";
    const done = await this.orders.send(view, action, unasked);
    if (!this.notice) this.autoAnswers.give();
    return done;
  }

  get notice(): Notice | null {
    return this.notices.current;
  }

  say(kind: Notice["kind"], text: string, rule: string | null = null): void {
    this.notices.say(kind, text, rule);
  }

  /** Takes back the last step; with `to`, asks the others to go back that far, or agrees. */
  async undo(to?: number): Promise<void> {
    const { view } = this;
    if (this.busy || !view || (to === undefined && !view.can_undo)) return;
    await this.orders.undo(view, to, (after) => {
      this.historical = null;
      this.autoAnswers.leaveTo(after.ply);
    });
  }

  /** A read-only question to the engine. */
  ask<K extends keyof Known>(kind: K, args: Args = {}): Promise<Known[K]> {
    return this.answers.ask<Known[K]>(kind, args);
  }

  /** A question of one game. */
  query<G extends keyof GameAnswers, K extends string & keyof GameAnswers[G]>(
    kind: K,
    args: Args = {},
  ): Promise<GameAnswers[G][K]> {
    return this.answers.ask<GameAnswers[G][K]>(kind, args);
  }

  /** Shows the position after an entry, or the present one. */
  async seek(at: number | null): Promise<void> {
    if (at === null || at >= (this.view?.ply ?? 0)) {
      this.historical = null;
      this.answers.clear();
      return;
    }
    try {
      this.historical = { ...(await this.at(at)), at };
      this.answers.clear();
    } catch (error) {
      await this.orders.fail(error);
    }
  }

  close(): void {
    this.arrivals.playback.stop();
    this.connection.close();
  }
}
