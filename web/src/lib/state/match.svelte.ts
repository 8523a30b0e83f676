import { type Acting, api, OfflineError, RefusedError, requestId } from "../net/api.ts";
import { Live, type LiveMessage, type LiveState, liveUrl } from "../net/live.ts";
import { Shown } from "../net/shown.ts";
import type { Decision, Refusal, SeatInfo, StaticGame, View } from "../net/types.ts";
import { noteDice } from "../dice/notes.ts";
import { MapModel } from "../map/model.ts";
import { saveAs } from "../ui/file.ts";
import { keep, keysOf, sitting } from "./keys.ts";
import { tellOnce } from "./told.ts";
import { GameLog } from "./log.svelte.ts";
import { indexOptions } from "./options.ts";
import { Playback } from "./playback.svelte.ts";
import { prefs } from "./prefs.svelte.ts";

/** An answer given for the player, and the note that says so. */
export interface AutoReply {
  action: string;
  note: string;
}
export interface Notice {
  kind: "refused" | "error" | "info";
  text: string;
  rule?: string | null;
  stamp: number;
}

/** One match as this browser sees it: the position shown, what is asked, and the way to answer. */
export class MatchStore {
  view = $state.raw<View | null>(null);
  map = $state.raw<MapModel | null>(null);
  seats = $state.raw<SeatInfo[]>([]);
  seat = $state("");
  keys = $state.raw<Record<string, string>>({});
  busy = $state(false);
  notice = $state.raw<Notice | null>(null);
  connection = $state<LiveState>("connecting");
  offline = $state(false);
  thinking = $state.raw<{ seat: string; done?: number; total?: number; text?: string } | null>(null);
  curtain = $state<string | null>(null);
  historical = $state.raw<View | null>(null);
  /** A position made up of steps within the last action, while they are shown one by one. */
  staged = $state.raw<View | null>(null);
  failed = $state("");
  /** Counts what was told about the seats; whoever shows them asks again. */
  seatNews = $state(0);
  readonly log: GameLog;
  private live: Live | null = null;
  /** What this seat was shown last, as the server tells only what changes. */
  private shownBefore = new Shown();
  private refreshing = false;
  /** The action under way; given up, and sent again, when the server is heard of on a new connection. */
  private underWay: AbortController | null = null;
  private readonly woken = (): void => {
    if (document.hidden) return;
    this.live?.check();
    void this.refresh();
  };
  private readonly playback = new Playback(
    (ply) => api.view(this.id, this.seat, this.key, ply),
    (view) => this.show(view),
  );
  private poller: ReturnType<typeof setInterval> | undefined;
  private answers = new Map<string, Promise<unknown>>();
  private curtainSide: string | null = null;
  /** Where units of others went in the step just shown. */
  trail = $state.raw<{ from: string; to: string }[]>([]);
  /** A question answered the same way until the turn ends, because the player wished so. */
  turnAutoAnswer = $state.raw<{ seat: string; turn: number; kind: string; action: string } | null>(null);
  /** When the position last changed, to tell a double click from a second wish. */
  changed = 0;
  private mine: View | null = null;
  private held: View[] = [];
  private newest = -1;
  private closed = false;

  constructor(
    readonly id: string,
    private readonly complete: (game: string, source: StaticGame) => Promise<StaticGame> = (_, source) =>
      Promise.resolve(source),
  ) {
    this.log = new GameLog(id, () => ({ seat: this.seat, key: this.key }));
  }

  get key(): string {
    return this.keys[this.seat] ?? "";
  }

  /** Steps of others still to be shown. */
  get queued(): number {
    return this.playback.waiting;
  }

  /** What the map draws: the present, or a past position while the slider is back. */
  get shown(): View | null {
    return this.historical ?? this.staged ?? this.view;
  }

  /** Verbs of the game that undo a unit; set once the game is known. */
  destructiveVerbs = $state.raw<readonly string[]>([]);

  /** What others do is shown where it ends, not step by step. */
  atOnce = false;
  /** Each seat sees what the others must not: no change of seats at one screen without a curtain. */
  secret = false;

  /** What the player wants answered without being asked; set once the game is known. */
  autoAnswerFor = $state.raw<(decision: Decision) => AutoReply | null>(() => null);
  /** The last such answer, in words. */
  autoAnswerNote = $state("");
  /** The step at which the player decides in person all the same, having gone back to it. */
  private decidesInPerson = $state(-1);
  /** An action given while the server is away, until it is answered. */
  kept = $state("");
  private wakers: (() => void)[] = [];

  /** The answer that is about to be given for the player. */
  autoAnswer = $derived.by(() => {
    const { view } = this;
    return view?.decision?.mine && !isPast(view) && view.ply !== this.decidesInPerson
      ? this.autoAnswerFor(view.decision)
      : null;
  });

  index = $derived(
    indexOptions(
      this.historical || this.staged || this.curtain || this.playback.waiting || isPast(this.view) || this.autoAnswer
        ? null
        : (this.view?.decision ?? null),
      this.view?.attacks,
      this.destructiveVerbs,
    ),
  );

  async open(): Promise<void> {
    try {
      const { keys, to_move, controllers } = await api.sit(this.id, keysOf(this.id));
      keep(this.id, keys);
      this.keys = keys;
      this.seat = this.firstSeat(to_move, controllers);
      const view = this.shownBefore.keep(await api.view(this.id, this.seat, this.key));
      const [fixed, games] = await Promise.all([api.fixed(view.game, view.scenario, view.data), api.games()]);
      this.map = new MapModel(await this.complete(view.game, fixed));
      const info = games.find((g) => g.id === view.game);
      this.seats = info?.seats[String(Object.keys(view.controllers).length)] ?? info?.seats["2"] ?? [];
      this.curtainSide = view.phase.side;
      await soon(this.log.reload());
      await this.show(view);
      this.tellOfRules(view);
      this.listen();
    } catch (error) {
      this.failed = error instanceof Error ? error.message : String(error);
    }
  }

  private firstSeat(toMove: string | null, controllers: View["controllers"]): string {
    const mine = Object.keys(this.keys);
    const human = mine.filter((s) => controllers[s]?.kind !== "bot");
    return (toMove && human.includes(toMove) ? toMove : human[0]) ?? mine[0] ?? "";
  }

  private listen(): void {
    if (this.closed) return;
    this.live?.close();
    const { seat, shownBefore } = this;
    this.live = new Live(
      () => liveUrl(this.id, seat, shownBefore.tag),
      this.key,
      (m) => this.hear(m),
      (s) => {
        if (s === "silent") {
          this.offline = true;
          this.underWay?.abort();
        }
        if (s === "open") {
          this.offline = false;
          if (this.connection !== "connecting") {
            this.underWay?.abort();
            void this.refresh();
          }
          this.wake();
        }
        this.connection = s;
      },
    );
    this.connection = "connecting";
    document.addEventListener("visibilitychange", this.woken);
    addEventListener("online", this.woken);
    addEventListener("pageshow", this.woken);
    clearInterval(this.poller);
    // while the socket is away the position is asked for, slowly
    this.poller = setInterval(() => {
      if (this.connection !== "open" && !document.hidden) void this.refresh();
    }, 3000);
  }

  private hear(message: LiveMessage): void {
    if (message.type === "view") this.incoming(this.shownBefore.keep(message.view));
    if (message.type === "change") {
      const view = this.shownBefore.change(message.change);
      if (view) this.incoming(view);
      else this.live?.send({ type: "view" });
    }
    if (message.type === "thinking")
      this.thinking = message.done !== undefined && message.done === message.total ? null : message;
    if (message.type === "seats") this.seatNews += 1;
    if (message.type === "error" && message.code === "bad_key") this.shutOut();
    else if (message.type === "error" && message.message) this.say("error", message.message);
  }

  /** Whoever holds the seat has made this window's key void. */
  private shutOut(): void {
    const kept = keysOf(this.id);
    // it was done in another window of this browser, which has left the new key
    if (kept[this.seat] && kept[this.seat] !== this.key) {
      this.keys = kept;
      this.listen();
      return;
    }
    this.close();
    this.failed =
      "This seat is no longer open in this window: its key was renewed, or the seat was given to somebody else.";
  }

  /** Other keys from now on, as when the old ones were made void. */
  rekey(keys: Record<string, string>): void {
    this.keys = keys;
    keep(this.id, keys);
    this.listen();
  }

  /** A position that came by itself: somebody else moved. It is shown at a pace one can follow. */
  private incoming(view: View): void {
    if (view.seat !== this.seat || view.version < this.newest) return;
    this.tellOfRules(view);
    if (view.version === this.newest) {
      // the same position, but something at the table is new, such as an offer to go back
      if (view.ply === this.view?.ply && view.tag !== this.view.tag && !this.busy && !this.playback.running)
        void this.show(view);
      return;
    }
    if (this.busy) {
      // the answer to our own action comes first; then what others did upon it
      this.held = [...this.held, view];
      return;
    }
    const shown = this.view;
    this.newest = view.version;
    this.thinking = null;
    const backwards = shown && view.ply < shown.ply;
    if (backwards || this.atOnce || prefs.stepTime === 0 || document.hidden || !shown) {
      this.playback.stop();
      void this.show(view);
    } else this.playback.add(view, shown.at ?? shown.ply);
  }

  /** Skip to the present. */
  flush(): void {
    const last = this.playback.stop();
    if (last) void this.show(last);
    else void this.refresh();
  }

  private async show(view: View): Promise<void> {
    this.answers.clear();
    // a past position carries the version of the present, which has not been seen yet
    if (!isPast(view)) this.newest = Math.max(this.newest, view.version);
    const before = this.view;
    this.view = view;
    if (view.dice) noteDice(this.id, view.dice, view.outcome != null);
    if (before && before.ply !== view.ply) this.changed = performance.now();
    if (before?.decision?.mine) this.mine = before;
    if (before) this.trail = this.atOnce ? this.since(view) : few(trailOf(before, view, this.seat));
    if (!isPast(view)) {
      if (before && view.ply < before.ply) this.log.cut(view.ply);
      else this.log.take(view);
      // when it is over, what was kept from this seat can be read
      if (before && !before.outcome && view.outcome) void this.log.change();
    }
    const asked = view.decision?.seat;
    const handOver = asked && asked !== this.seat && this.keys[asked] && view.controllers[asked]?.kind !== "bot";
    if (handOver && !isPast(view) && !this.playback.waiting) await this.sitAt(asked);
    this.giveAutoAnswer();
  }

  /** Where others went since this seat was last asked, within the same turn. */
  private since(view: View): { from: string; to: string }[] {
    return this.mine?.turn.number === view.turn.number ? trailOf(this.mine, view, this.seat) : [];
  }

  /** Answers this question so now, and whenever it comes again in this turn. */
  autoAnswerThisTurn(kind: string, action: string): void {
    if (!this.view) return;
    this.turnAutoAnswer = { seat: this.seat, turn: this.view.turn.number, kind, action };
    this.giveAutoAnswer();
  }

  /** Gives the answers that the player has wished to be given for him. */
  giveAutoAnswer(): void {
    const { turnAutoAnswer, view, autoAnswer } = this;
    if (!view || this.busy || this.curtain || isPast(view)) return;
    if (autoAnswer) {
      void this.send(autoAnswer.action).then((done) => {
        if (done) this.autoAnswerNote = autoAnswer.note;
        else this.decidesInPerson = view.ply;
      });
      return;
    }
    if (!turnAutoAnswer) return;
    if (view.turn.number !== turnAutoAnswer.turn) this.turnAutoAnswer = null;
    else if (
      view.seat === turnAutoAnswer.seat &&
      view.decision?.mine &&
      view.decision.kind === turnAutoAnswer.kind &&
      view.decision.options.some((o) => o.action === turnAutoAnswer.action)
    )
      void this.send(turnAutoAnswer.action);
  }

  /** Hot seat: the same screen now speaks for another seat. */
  async sitAt(seat: string): Promise<void> {
    const from = this.seat;
    this.seat = seat;
    this.shownBefore = new Shown();
    const mode = prefs.value.curtain;
    const phase = this.view?.phase.side ?? null;
    const humans = Object.entries(this.view?.controllers ?? {}).filter(
      ([s, c]) => c.kind !== "bot" && this.keys[s],
    ).length;
    if (from && humans > 1 && (mode === "always" || (mode === "turn" && (this.secret || phase !== this.curtainSide))))
      this.curtain = seat;
    if (!this.curtain) sitting(this.id, seat);
    this.curtainSide = phase;
    this.staged = null;
    const [view] = await Promise.all([api.view(this.id, seat, this.key), soon(this.log.change())]);
    this.shownBefore.keep(view);
    this.answers.clear();
    this.view = view;
    this.changed = performance.now();
    this.newest = view.version; // every seat counts for itself
    this.listen();
    this.giveAutoAnswer();
  }

  /** Whoever sits here now has said so. */
  liftCurtain(): void {
    this.curtain = null;
    sitting(this.id, this.seat);
    this.giveAutoAnswer();
  }

  /** A page loaded anew behind the curtain, or while the other seat was asked, does not open on its secrets. */
  returned(): void {
    const last = sitting(this.id);
    if (this.secret && last && last !== this.seat && prefs.value.curtain !== "never") this.curtain = this.seat;
    else sitting(this.id, this.seat);
  }

  async refresh(): Promise<void> {
    if (this.refreshing) return;
    this.refreshing = true;
    try {
      const view = await api.view(this.id, this.seat, this.key);
      this.live?.alive();
      this.offline = false;
      if (view.version > this.newest) this.incoming(view);
      else if (view.version === this.newest && !this.playback.running && view.ply !== this.view?.ply)
        await this.show(view);
    } catch (error) {
      if (error instanceof OfflineError) this.offline = true;
    } finally {
      this.refreshing = false;
    }
  }

  /** Sends one action; a second call while the first is under way does nothing. */
  async send(action: string): Promise<boolean> {
    const view = this.view;
    if (this.busy || !view || this.historical || this.staged || this.curtain) return false;
    this.busy = true;
    this.autoAnswerNote = "";
    const body = { seat: this.seat, key: this.key, version: view.version, action, request_id: requestId() };
    try {
      const view = await this.insist(action, (signal) => this.act(body, signal));
      this.notice = null;
      // the other side's answer may have come through the socket before our own request was answered
      if (view.version >= this.newest) await this.show(view);
      return true;
    } catch (error) {
      await this.fail(error);
      return false;
    } finally {
      this.busy = false;
      const held = this.held;
      this.held = [];
      for (const view of held) this.incoming(view);
      if (!this.notice) this.giveAutoAnswer();
    }
  }

  private async act(body: Acting, signal: AbortSignal): Promise<View> {
    const shown = this.shownBefore;
    const answer = await api.act(this.id, { ...body, have: shown.tag }, signal);
    const view = answer.change ? shown.change(answer.change) : answer.view && shown.keep(answer.view);
    return view ?? shown.keep(await api.view(this.id, this.seat, this.key));
  }

  /** Without a server an action is kept, and sent again under its request id until it is answered: it happens once. */
  private async insist<T>(action: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      for (let tries = 0; ; tries += 1) {
        try {
          this.underWay = new AbortController();
          const result = await work(this.underWay.signal);
          this.offline = false;
          return result;
        } catch (error) {
          if (!(error instanceof OfflineError) || this.closed) throw error;
          this.offline = true;
          this.kept = action;
          await this.pause(this.connection === "open" ? 300 : Math.min(3000, 500 * 2 ** tries));
        }
      }
    } finally {
      this.underWay = null;
      this.kept = "";
    }
  }

  /** Waits, but no longer than until the server is heard of again. */
  private pause(time: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, time);
      this.wakers.push(() => {
        clearTimeout(timer);
        done();
      });
    });
  }

  private wake(): void {
    const wakers = this.wakers;
    this.wakers = [];
    for (const f of wakers) f();
  }

  private async fail(error: unknown): Promise<void> {
    if (error instanceof RefusedError) {
      const refusal: Refusal = error.refusal;
      if (refusal.view) await this.show(refusal.view);
      else if (error.status === 409) await this.refresh();
      this.say("refused", refusal.message, refusal.rule ?? null);
    } else if (error instanceof OfflineError) {
      this.offline = true;
      this.say("error", "The server does not answer. It is safe to try again.");
    } else {
      this.say("error", error instanceof Error ? error.message : String(error));
    }
  }

  /** Has the browser keep the saved game as a file. */
  async download(): Promise<void> {
    try {
      saveAs(`rasputitsa-${this.id}.jsonl`, await api.save(this.id, this.seat, this.key));
    } catch (error) {
      await this.fail(error);
    }
  }

  /** Says once in this browser that the match goes on under other rules. */
  private tellOfRules(view: View): void {
    if (view.rules_changed && tellOnce(this.id, `rules ${view.rules_changed}`))
      this.say(
        "info",
        "The program was updated and its rules have changed. The match goes on from where it stood, " +
          "by the rules of today; one cannot go back to what lies before.",
      );
  }

  say(kind: Notice["kind"], text: string, rule: string | null = null): void {
    this.notice = { kind, text, rule, stamp: Date.now() };
  }

  /** Takes back the last step; with `to`, asks the others to go back that far, or agrees. */
  async undo(to?: number): Promise<void> {
    const view = this.view;
    if (this.busy || !view || (to === undefined && !view.can_undo)) return;
    this.busy = true;
    try {
      const answer = await api.undo(this.id, {
        seat: this.seat,
        key: this.key,
        version: view.version,
        ...(to === undefined ? {} : { to }),
      });
      this.historical = null;
      this.decidesInPerson = answer.view.ply;
      await this.show(answer.view);
      if (to !== undefined && answer.view.ply !== to)
        this.say("info", `You offered to go back to entry ${to}. It happens once the other players agree.`);
    } catch (error) {
      await this.fail(error);
    } finally {
      this.busy = false;
      const held = this.held;
      this.held = [];
      for (const view of held) this.incoming(view);
    }
  }

  /** A read-only question to the engine, remembered until the position changes. */
  ask<T>(kind: string, args: Record<string, string | number> = {}): Promise<T> {
    const name = `${kind}|${JSON.stringify(args)}`;
    let answer = this.answers.get(name) as Promise<T> | undefined;
    if (!answer) {
      answer = api.query<T>(this.id, this.seat, this.key, kind, args);
      answer.catch(() => this.answers.delete(name));
      this.answers.set(name, answer);
    }
    return answer;
  }

  async seek(at: number | null): Promise<void> {
    if (at === null || at >= (this.view?.ply ?? 0)) {
      this.historical = null;
      this.answers.clear();
      return;
    }
    try {
      const view = await api.view(this.id, this.seat, this.key, at);
      this.answers.clear();
      this.historical = { ...view, at };
    } catch (error) {
      await this.fail(error);
    }
  }

  /** Ask the computer to decide at once. */
  hurry(): void {
    void api.hurry(this.id, this.seat, this.key).catch(() => undefined);
  }

  retry(): void {
    this.live?.retryNow();
    this.wake();
    void this.refresh();
  }

  close(): void {
    this.closed = true;
    document.removeEventListener("visibilitychange", this.woken);
    removeEventListener("online", this.woken);
    removeEventListener("pageshow", this.woken);
    this.wake();
    clearInterval(this.poller);
    this.playback.stop();
    this.live?.close();
  }
}

/** The log of a long game goes on being read while the map is shown. */
const soon = (work: Promise<void>): Promise<void> =>
  Promise.race([work, new Promise<void>((done) => setTimeout(done, 400))]);

/** A position on the way to the present, shown while others' moves are played. */
const isPast = (view: View | null): boolean => view?.at !== undefined && view?.at !== null;

/** The moves of one step; what was skipped would only cross the map in all directions. */
const few = <T>(moves: T[]): T[] => (moves.length > 3 ? [] : moves);

/** Moves of other seats between two positions one step apart; none after a step of one's own. */
function trailOf(before: View, after: View, seat: string): { from: string; to: string }[] {
  const last = after.last_events.at(-1);
  if (!last || last.seat === seat || after.ply === before.ply) return [];
  const was = new Map(before.units.map((u) => [u.id, u.hex]));
  return after.units.flatMap((u) => {
    const from = was.get(u.id);
    return from && u.hex && from !== u.hex ? [{ from, to: u.hex }] : [];
  });
}
