import { api } from "../net/api.ts";
import { byLetters } from "../net/letters.ts";
import type { Times } from "../net/types.ts";
import type { MatchStore } from "../state/match/match.svelte.ts";

/** The clock of a match, as it was heard last; it goes on here between. */
export class Clock {
  times = $state.raw<Times | null>(null);
  private heard = 0;
  private now = $state(0);

  constructor(private readonly match: MatchStore) {}

  async load(): Promise<void> {
    if (byLetters(this.match.id)) return;
    try {
      this.times = (await api.clock(this.match.id, this.match.seat, this.match.key)).clock;
      this.heard = this.now = performance.now();
    } catch {
      /* the next news asks again */
    }
  }

  tick(): void {
    this.now = performance.now();
  }

  /** What a seat has left now. */
  left(seat: string): number {
    const time = this.times?.seats[seat];
    if (!time) return 0;
    const gone = this.times?.running === seat ? Math.max(0, this.now - this.heard - time.free_ms) : 0;
    return Math.max(0, time.left_ms - gone);
  }

  /** Whether a seat has little left. */
  low(seat: string): boolean {
    return this.times !== null && this.left(seat) < this.times.terms.bank_ms / 10;
  }
}
