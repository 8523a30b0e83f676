import type { StandingAnswer } from "../../../games/types.ts";
import type { Decision, View } from "../../net/types.ts";
import { prefs } from "../prefs.svelte.ts";
import { isPast } from "./trail.ts";

/** An answer given for the player, and the note that says so. */
export interface AutoReply {
  action: string;
  note: string;
}
interface Question {
  readonly view: View | null;
  readonly seat: string;
  readonly busy: boolean;
  readonly curtain: string | null;
  send(action: string, unasked: boolean): Promise<boolean>;
}

/** Questions that the player wants answered without being asked. */
export class AutoAnswers {
  /** The player's standing wishes; set once the game is known. */
  replyTo = $state.raw<(decision: Decision) => AutoReply | null>(() => null);
  /** The last such answer, in words. */
  note = $state("");
  /** A question answered the same way until the turn or the phase ends. */
  standing = $state.raw<{ seat: string; span: string; kind: string; rule: StandingAnswer } | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The step at which the player decides in person all the same, having gone back to it. */
  private inPersonAt = $state(-1);

  constructor(private readonly match: Question) {}

  /** The answer that is about to be given. */
  pending = $derived.by(() => {
    const { view } = this.match;
    return view?.decision?.mine && !isPast(view) && view.ply !== this.inPersonAt ? this.replyTo(view.decision) : null;
  });

  /** Leaves the question at a step to the player. */
  leaveTo(ply: number): void {
    this.inPersonAt = ply;
    if (this.standing?.rule.until === "phase") this.stop();
  }

  /** Answers this question so now, and whenever it comes again in this turn or phase. */
  repeat(kind: string, rule: StandingAnswer): void {
    const { view, seat } = this.match;
    if (!view) return;
    this.standing = { seat, span: spanOf(view, rule.until), kind, rule };
    this.give();
  }

  /** Answers no more by itself. */
  stop(): void {
    clearTimeout(this.timer);
    this.standing = null;
  }

  /** Gives the answer that is due, if one is. */
  give(): void {
    const { view, seat } = this.match;
    const { standing, pending } = this;
    if (!view || this.match.busy || this.match.curtain || isPast(view)) return;
    if (pending) {
      void this.match.send(pending.action, true).then((done) => {
        if (!done) this.inPersonAt = view.ply;
        else if (seat === this.match.seat) this.note = pending.note;
      });
      return;
    }
    if (!standing) return;
    if (spanOf(view, standing.rule.until) !== standing.span) return this.stop();
    const { decision } = view;
    if (view.seat !== standing.seat || !decision?.mine || decision.kind !== standing.kind) return;
    const action = standing.rule.answer(decision);
    if (!action) return;
    if (standing.rule.until === "turn") return void this.match.send(action, true);
    // what each of them brings is to be seen
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.standing === standing && this.match.view === view) void this.match.send(action, true);
    }, prefs.stepTime);
  }
}

const spanOf = (view: View, until: StandingAnswer["until"]): string =>
  until === "turn"
    ? `${view.turn.number}`
    : `${view.turn.number} ${view.phase.id} ${view.phase.side} ${view.phase.reserve ?? 0}`;
