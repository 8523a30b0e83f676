import type { Decision, View } from "../../net/types.ts";
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
  send(action: string): Promise<boolean>;
}

/** Questions that the player wants answered without being asked. */
export class AutoAnswers {
  /** The player's standing wishes; set once the game is known. */
  replyTo = $state.raw<(decision: Decision) => AutoReply | null>(() => null);
  /** The last such answer, in words. */
  note = $state("");
  /** A question answered the same way until the turn ends. */
  forTurn = $state.raw<{ seat: string; turn: number; kind: string; action: string } | null>(null);
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
  }

  /** Answers this question so now, and whenever it comes again in this turn. */
  repeatThisTurn(kind: string, action: string): void {
    const { view, seat } = this.match;
    if (!view) return;
    this.forTurn = { seat, turn: view.turn.number, kind, action };
    this.give();
  }

  /** Gives the answer that is due, if one is. */
  give(): void {
    const { view, seat } = this.match;
    const { forTurn, pending } = this;
    if (!view || this.match.busy || this.match.curtain || isPast(view)) return;
    if (pending) {
      void this.match.send(pending.action).then((done) => {
        if (!done) this.inPersonAt = view.ply;
        else if (seat === this.match.seat) this.note = pending.note;
      });
      return;
    }
    if (!forTurn) return;
    if (view.turn.number !== forTurn.turn) this.forTurn = null;
    else if (
      view.seat === forTurn.seat &&
      view.decision?.mine &&
      view.decision.kind === forTurn.kind &&
      view.decision.options.some((o) => o.action === forTurn.action)
    )
      void this.match.send(forTurn.action);
  }
}
