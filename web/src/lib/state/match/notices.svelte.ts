import type { View } from "../../net/types.ts";
import { firstTime } from "./firstTime.ts";

export interface Notice {
  kind: "refused" | "error" | "info";
  text: string;
  rule: string | null;
  stamp: number;
}

const RULES_CHANGED =
  "The program was updated and its rules have changed. The match goes on from where it stood, " +
  "under the current rules; earlier positions can no longer be restored.";

/** What the banner says to the player. */
export class Notices {
  current = $state.raw<Notice | null>(null);
  private readonly listeners = new Set<(notice: Notice) => void>();

  constructor(private readonly match: string) {}

  say(kind: Notice["kind"], text: string, rule: string | null = null): void {
    const notice = { kind, text, rule, stamp: Date.now() };
    this.current = notice;
    for (const call of this.listeners) call(notice);
  }

  /** Something else is done or happens: information older than `age` has had its time, errors and refusals have not. */
  pass(age = 0): void {
    if (this.current?.kind === "info" && Date.now() - this.current.stamp >= age) this.current = null;
  }

  /** Calls with each notice when it is said, until what is given back is called. */
  whenSaid(call: (notice: Notice) => void): () => void {
    this.listeners.add(call);
    return () => void this.listeners.delete(call);
  }

  /** Says once in this browser that the match goes on under other rules. */
  tellOfRules(view: View): void {
    if (view.rules_changed && firstTime(this.match, `rules ${view.rules_changed}`)) this.say("info", RULES_CHANGED);
  }
}
