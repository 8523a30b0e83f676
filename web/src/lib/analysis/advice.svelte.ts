import { tick } from "svelte";
import { api } from "../net/api.ts";
import { plainText } from "../state/marks.ts";
import { seatingOf } from "../seats/seating.svelte.ts";
import type { Table } from "../state/table/table.svelte.ts";
import { worstOf } from "./chart.ts";
import { type Beginning, beginningOf, doFirst, followStep, followSteps, placeOf } from "./following.ts";
import { begun, follow } from "./jobs.ts";
import { spoken } from "./plan.ts";
import { Straying } from "./straying.svelte.ts";
import type { Course, HintResult, Job, StaffWish, Step, TurningPoint } from "./types.ts";

/** What is asked of the computer at one table: hints, and how the match went. */
export class Advice {
  /** The hint under way. */
  asking = $state.raw<Job<HintResult> | null>(null);
  hint = $state.raw<HintResult | null>(null);
  /** Whether the hint under way is about the whole question, not orders of a staff to some units. */
  whole = $state(false);
  /** When the hint was given: it fades with the phase it was given for. */
  private given = $state.raw<{ ply: number; phase: string; kind: string } | null>(null);
  course = $state.raw<Course | null>(null);
  /** The course being worked out. */
  working = $state.raw<Job<Course> | null>(null);
  turn = $state.raw<TurningPoint | null>(null);
  /** The step the reader points at. */
  pointed = $state.raw<Step | null>(null);
  trouble = $state("");
  /** Whether steps of the plan are being carried out one after the other. */
  following = $state(false);
  /** Whether the server knows the game well enough. */
  offered = $state(false);
  /** The steps of the hint that have been carried out: when, and of which plan. */
  carriedOut = $state.raw<readonly { ply: number; plan: HintResult }[]>([]);
  private asked = 0;
  private worked = 0;
  /** Whose questions these are. */
  private seat: string;
  private readonly ready: Promise<void>;

  /** Whether other orders were given since the hint, so that it no longer holds. */
  readonly strayed: Straying;

  constructor(private readonly table: Table) {
    this.strayed = new Straying(table);
    this.seat = table.match.seat;
    this.ready = api
      .games()
      .then((games) => void (this.offered = games.find((g) => g.id === table.match.view?.game)?.analysis ?? false))
      .catch(() => undefined);
  }

  private get phase(): string {
    const view = this.table.match.view;
    return view
      ? `${view.turn.number} ${view.phase.id} ${view.phase.side} ${view.phase.reserve ?? 0} ${this.table.match.seat}`
      : "";
  }

  /** Whether a hint can be asked for now. */
  get possible(): boolean {
    const match = this.table.match;
    return (
      this.offered &&
      seatingOf(match).hints &&
      Boolean(match.view?.decision?.mine) &&
      !match.historical &&
      !match.curtain &&
      !match.queued &&
      !match.staged
    );
  }

  /** The hint, as long as the phase lasts for which it was given. */
  get current(): HintResult | null {
    return this.hint && this.given?.phase === this.phase && !this.table.match.historical ? this.hint : null;
  }

  /** Whether something has been done since the hint was given. */
  get older(): boolean {
    return this.given?.ply !== this.table.match.view?.ply;
  }

  /** Whether the question is again of the kind for which the hint was given, with nothing half done in hand. */
  get level(): boolean {
    return this.given?.kind === this.table.match.view?.decision?.kind;
  }

  /** What its button does: the whole first step where it can be given in one go, else the answer to the question. */
  get begin(): Beginning | null {
    return beginningOf(this.table, this);
  }

  /** Does what its button says. */
  start(): Promise<void> {
    return doFirst(this.table, this);
  }

  /** The plan that the map shows: a hint, or the alternative at a turning point. */
  get plan(): HintResult | null {
    return this.current ?? (this.turn && this.table.match.historical?.at === this.turn.ply ? this.turn.hint : null);
  }

  get open(): boolean {
    return Boolean(this.asking || this.current || this.turn || this.trouble);
  }

  /** Asks for a hint; with a wish, for the orders of a staff to some units alone. */
  async ask(wish: StaffWish | null = null): Promise<void> {
    const match = this.table.match;
    await Promise.all([this.ready, seatingOf(match).first()]);
    if (this.offered && !seatingOf(match).hints)
      match.say("info", "Between people there are hints only if all agree; propose them in the menu Game.");
    if (!this.possible || this.asking) return;
    const mine = ++this.asked;
    const wanted = (): boolean => mine === this.asked;
    const phase = this.phase;
    const kind = match.view?.decision?.kind ?? "";
    match.notices.pass();
    this.hint = null;
    this.turn = null;
    this.trouble = "";
    this.whole = wish === null;
    this.asking = begun("hint", match.view?.ply ?? 0);
    this.table.say("The computer is thinking about a hint.");
    try {
      const job = await follow(
        match,
        () => api.askHint(match.id, match.seat, match.key, wish),
        (j) => wanted() && (this.asking = j),
        wanted,
      );
      if (!wanted()) return;
      if (job.state === "failed") this.trouble = job.text || "No hint could be worked out.";
      if (job.result && job.state === "done" && phase === this.phase) {
        this.hint = job.result;
        this.carriedOut = [];
        this.strayed.forget();
        this.given = { ply: job.ply, phase, kind };
        void tick().then(() => this.lookAt(job.result?.steps[0]));
        this.table.say(`Hint: ${this.spoken(job.result)}`);
      }
    } catch (error) {
      if (wanted()) this.trouble = error instanceof Error ? error.message : String(error);
    }
    if (wanted()) this.asking = null;
  }

  private spoken(hint: HintResult): string {
    return plainText(spoken(hint), this.table.unitName, (id) => this.table.map.describe(id));
  }

  /** Whether a step can be ordered now: the question must be the one that the plan begins with. */
  canOrder(step: Step): boolean {
    const first = step.ordered ? this.current?.steps[0] === step : !step.waits || this.older;
    return Boolean(step.line) && this.level && first && !this.strayed.now;
  }

  /** Carries out all steps that can be ordered, or those among them that are named, the map following. */
  async followAll(steps: readonly Step[]): Promise<void> {
    if (this.following) return;
    this.following = true;
    try {
      await this.table.orderLines.asOne(() => followSteps(this.table, this, steps));
    } finally {
      this.following = false;
      this.pointed = null;
    }
  }

  /** Puts the hint away, or stops thinking about it. */
  close(): void {
    this.cancel(this.asking);
    this.following = false;
    this.asked += 1;
    this.asking = null;
    this.hint = null;
    this.turn = null;
    this.pointed = null;
    this.trouble = "";
  }

  /** Another player may sit here now, who is not to read what the last one was advised. */
  forget(): void {
    if (this.seat === this.table.match.seat) return;
    this.close();
    this.stopWork();
    this.course = null;
    this.seat = this.table.match.seat;
  }

  /** Carries one step of the plan out. */
  follow(line: string): Promise<boolean> {
    return this.table.orderLines.asOne(() => followStep(this.table, this, line));
  }

  // -- the course of the match -----------------------------------------------------------------------

  /** What is known already; nothing is begun. */
  async load(): Promise<void> {
    const { match } = this.table;
    this.forget();
    const { seat } = this;
    await this.ready;
    if (this.working || !this.offered) return;
    const answer = await api.keptCourse(match.id, seat, match.key).catch(() => null);
    if (answer?.course && !this.working && seat === match.seat) this.course = answer.course;
  }

  /** Whether the match has gone on since its course was worked out. */
  get behind(): boolean {
    return Boolean(this.course && (!this.course.complete || this.course.entries < (this.table.match.view?.ply ?? 0)));
  }

  async work(): Promise<void> {
    const match = this.table.match;
    if (this.working) return;
    const mine = ++this.worked;
    const wanted = (): boolean => mine === this.worked;
    this.trouble = "";
    this.working = begun("course", 0);
    try {
      const job = await follow(
        match,
        () => api.askCourse(match.id, match.seat, match.key),
        (j) => {
          if (!wanted()) return;
          this.working = j;
          if (j.result) this.course = j.result;
        },
        wanted,
      );
      if (wanted() && job.state === "failed") this.trouble = job.text || "The match could not be analysed.";
    } catch (error) {
      if (wanted()) this.trouble = error instanceof Error ? error.message : String(error);
    }
    if (wanted()) this.working = null;
  }

  /** Works the course out, then shows what the computer would have done where a side played worst. */
  async teach(side: string): Promise<void> {
    await this.work();
    if (!this.course || this.table.match.historical) return;
    const turn = worstOf(this.course, side);
    if (turn) await this.show(turn);
    else this.table.match.say("info", "No turn of yours changed the outlook; the chart shows who was ahead when.");
  }

  stopWork(): void {
    this.cancel(this.working);
    this.worked += 1;
    this.working = null;
  }

  /** The server thinks no further; a job is stopped by the seat that asked for it. */
  private cancel(job: Job<unknown> | null): void {
    const { id, keys } = this.table.match;
    if (job?.id) void api.cancelJob(id, this.seat, keys[this.seat] ?? "", job.id).catch(() => undefined);
  }

  /** Shows where the match turned, with what the computer would have done. */
  async show(turn: TurningPoint | null): Promise<void> {
    this.pointed = null;
    this.hint = null;
    this.turn = turn;
    if (turn) {
      await this.table.match.seek(turn.ply);
      this.lookAt(turn.hint.steps.find((s) => s.kind === "attack" && s.targets.length) ?? turn.hint.steps[0]);
    }
  }

  /** A step pointed out is brought into view. */
  point(step: Step | null, look = false): void {
    this.pointed = step;
    if (look) this.lookAt(step);
  }

  /** Where a step ends comes into view, next to the card that speaks of it. */
  private lookAt(step: Step | null | undefined): void {
    const place = step && placeOf(this.table, step);
    if (place) this.table.camera.look(place);
  }
}

const tables = new WeakMap<Table, Advice>();

export function adviceOf(table: Table): Advice {
  let advice = tables.get(table);
  if (!advice) {
    advice = new Advice(table);
    tables.set(table, advice);
  }
  return advice;
}
