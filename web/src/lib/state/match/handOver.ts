import { OfflineError } from "../../net/api.ts";
import type { View } from "../../net/types.ts";

/** How soon to look again whether a standing order has answered; usually the answer is heard of before. */
const ANSWERED_MS = 1000;
/** How soon to ask again for a view that could not be had. */
const AGAIN_MS = 2000;

interface Screen {
  readonly view: View | null;
  readonly seat: string;
  readonly connection: { offline: boolean };
  isMine(seat: string, view: View): boolean;
  viewOf(seat: string): Promise<View>;
  sitAt(seat: string, theirs: View): Promise<void>;
}

/** Hot seat: the player who is asked sits down, unless a standing order of that seat answers. */
export class HandOver {
  /** The position for which another seat's view is under way. */
  private underWay: View | null = null;

  constructor(private readonly screen: Screen) {}

  async to(view: View): Promise<void> {
    const { screen } = this;
    const asked = view.decision?.seat;
    if (!asked || asked === screen.seat || !screen.isMine(asked, view) || this.underWay === view) return;
    this.underWay = view;
    try {
      const theirs = await screen.viewOf(asked);
      if (screen.view !== view) return;
      if (!theirs.decision?.answered) return await screen.sitAt(asked, theirs);
      this.later(view, ANSWERED_MS);
    } catch (error) {
      if (!(error instanceof OfflineError)) throw error;
      screen.connection.offline = true;
      this.later(view, AGAIN_MS);
    } finally {
      if (this.underWay === view) this.underWay = null;
    }
  }

  private later(view: View, wait: number): void {
    setTimeout(() => {
      if (this.screen.view === view) void this.to(view);
    }, wait);
  }
}
