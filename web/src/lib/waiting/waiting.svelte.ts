import { untrack } from "svelte";
import { account } from "../account/account.svelte.ts";
import { api } from "../net/api.ts";
import type { MatchSummary } from "../net/types.ts";
import { allKeys } from "../state/match/keys.ts";
import { hasCompany, nextTurn, waitsForMe } from "./turns.ts";

/** How often the matches that are not on the screen are asked for. */
const LOOK_MS = 30_000;

/** For so long after the end the others may ask for a rematch and be heard. */
const ASKED_MS = 3 * 24 * 3_600_000;
const mayBeAsked = (m: MatchSummary): boolean => hasCompany(m) && Date.now() - Number(m.updated) < ASKED_MS;

/** The matches of this browser, and in which of them others wait for an answer. */
export class Waiting {
  private matches = $state.raw<readonly MatchSummary[]>([]);
  /** The match on the screen, which tells by itself whether it waits. */
  private here = $state.raw<{ id: string; waits: boolean } | null>(null);
  /** Not asked for again until the list of matches is opened: they hardly go on. */
  private readonly over = new Set<string>();

  /** How many matches wait, but for the one on the screen. */
  get elsewhere(): number {
    return this.matches.filter((m) => m.id !== this.here?.id && waitsForMe(m)).length;
  }

  get count(): number {
    return this.elsewhere + (this.here?.waits ? 1 : 0);
  }

  /** What the title of the page begins with. */
  get mark(): string {
    return this.count ? `(${this.count}) ` : "";
  }

  get next(): MatchSummary | null {
    return nextTurn(this.matches, this.here?.id ?? "");
  }

  /** What the list of matches has just told: all of them, those included that are over. */
  take(matches: readonly MatchSummary[]): void {
    this.over.clear();
    this.keep(matches.filter((m) => m.mine?.length));
  }

  private keep(matches: readonly MatchSummary[]): void {
    this.matches = matches;
    for (const m of matches) if (m.over && !mayBeAsked(m)) this.over.add(m.id);
  }

  /** The match on the screen, and whether it waits for the player here. */
  show(id: string, waits: boolean): void {
    untrack(() => {
      const before = this.here?.id;
      this.here = { id, waits };
      if (before !== id) void this.look();
    });
  }

  leave(id: string): void {
    if (this.here?.id === id) this.here = null;
  }

  /** Asks how the matches stand; there is nothing to ask where no match but the one on the screen may go on. */
  async look(): Promise<void> {
    try {
      await api.named();
      const keys = Object.entries(allKeys()).filter(([id]) => !this.over.has(id));
      await account.known();
      if (!account.current && keys.every(([id]) => id === this.here?.id)) return;
      this.keep(await api.lobby(Object.fromEntries(keys)));
    } catch {
      /* the next look asks again */
    }
  }

  /** Looks from time to time, and when the page is looked at again; gives what ends it. */
  start(): () => void {
    const woken = (): void => void (document.hidden || this.look());
    const timer = setInterval(() => void this.look(), LOOK_MS);
    document.addEventListener("visibilitychange", woken);
    untrack(() => void this.look());
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", woken);
    };
  }
}

export const waiting = new Waiting();
