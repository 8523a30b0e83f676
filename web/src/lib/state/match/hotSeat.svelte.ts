import type { View } from "../../net/types.ts";
import { prefs } from "../prefs.svelte.ts";
import { sitting } from "./keys.ts";

/** Several seats at one screen: the curtain between them, so that none reads what another must not see. */
export class HotSeat {
  /** The seat that is to sit down before anything is shown. */
  curtain = $state<string | null>(null);
  /** Each seat sees what the others must not. */
  secret = false;
  private side: string | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly match: string) {}

  /** The side whose phase it is, as of the position shown. */
  follow(view: View | null): void {
    this.side = view?.phase.side ?? null;
  }

  /** Another seat is asked; `people` play from this screen. */
  handOver(from: string, to: string, people: number, view: View | null): void {
    const mode = prefs.value.curtain;
    const phase = view?.phase.side ?? null;
    if (from && people > 1 && (mode === "always" || (mode === "turn" && (this.secret || phase !== this.side))))
      this.curtain = to;
    if (!this.curtain) sitting(this.match, to);
    this.side = phase;
    for (const seated of this.listeners) seated();
  }

  /** Calls whenever another seat is asked, until what is given back is called. */
  whenSeated(call: () => void): () => void {
    this.listeners.add(call);
    return () => void this.listeners.delete(call);
  }

  /** The player who sits here now has said so. */
  lift(seat: string): void {
    this.curtain = null;
    sitting(this.match, seat);
  }

  /** A page loaded again behind the curtain, or while the other seat was asked, does not open on its secrets. */
  returned(seat: string): void {
    const last = sitting(this.match);
    if (this.secret && last && last !== seat && prefs.value.curtain !== "never") this.curtain = seat;
    else sitting(this.match, seat);
  }
}
