import type { View } from "../../net/types.ts";
import { prefs } from "../prefs.svelte.ts";
import type { EventKinds } from "../eventKinds.ts";
import { Playback } from "./playback.svelte.ts";
import { isPast, seatOf } from "./trail.ts";

/** What is said comes with the position that brings it about, and is not put away by that. */
const TOGETHER_MS = 1500;

interface Receiver {
  readonly view: View | null;
  readonly seat: string;
  readonly busy: boolean;
  /** What others do is shown where it ends, not step by step. */
  readonly atOnce: boolean;
  readonly events: EventKinds;
  readonly notices: { pass(age: number): void };
  at(ply: number): Promise<View>;
  show(view: View): Promise<void>;
}

/** Positions that come by themselves, since somebody else has moved: shown at a pace one can follow. */
export class Arrivals {
  readonly playback: Playback;
  private held: View[] = [];
  private newest = -1;

  constructor(private readonly to: Receiver) {
    this.playback = new Playback(
      (ply) => to.at(ply),
      (view) => to.show(view),
      () => to.events,
    );
  }

  /** Whether a position is newer than all that have come. */
  isNew(view: View): boolean {
    return view.version > this.newest;
  }

  /** Whether something newer has come in the meantime. */
  isStale(view: View): boolean {
    return view.version < this.newest;
  }

  /** Another position is shown. A past one carries the version of the present, which has not been seen yet. */
  note(view: View): void {
    if (view.ply !== this.to.view?.ply) this.to.notices.pass(TOGETHER_MS);
    if (!isPast(view)) this.newest = Math.max(this.newest, view.version);
  }

  /** Every seat counts for itself. */
  startFrom(view: View): void {
    this.newest = view.version;
  }

  /** Takes a position in; true if it is news. */
  take(view: View): boolean {
    const { to } = this;
    if (seatOf(view) !== to.seat || this.isStale(view)) return false;
    if (!this.isNew(view)) {
      // the same position, but something at the table is new, such as an offer to go back
      if (view.ply === to.view?.ply && view.tag !== to.view.tag && !to.busy && !this.playback.running)
        void to.show(view);
      return false;
    }
    if (to.busy) {
      // the answer to our own action comes first; then what others did upon it
      this.held = [...this.held, view];
      return false;
    }
    const shown = to.view;
    this.newest = view.version;
    const backwards = shown && view.ply < shown.ply;
    if (backwards || to.atOnce || prefs.stepTime === 0 || document.hidden || !shown) {
      this.playback.stop();
      void to.show(view);
    } else this.playback.add(view, shown.at ?? shown.ply);
    return true;
  }

  /** Takes in what came while an action of one's own was under way. */
  release(take: (view: View) => void): void {
    const { held } = this;
    this.held = [];
    for (const view of held) take(view);
  }
}
