import { api, requestId } from "../net/api.ts";
import { byLetters } from "../net/letters.ts";
import { placeOf } from "../net/store.ts";
import type { Message } from "../net/types.ts";
import { isTexts, kept } from "../state/storage.ts";
import type { MatchStore } from "../state/match/match.svelte.ts";

const READ = "rasputitsa.read";
const MUTED = "rasputitsa.muted";

/** What is said at the table, as the seat at this window may read it. */
export class Talk {
  messages = $state.raw<Message[]>([]);
  trouble = $state("");
  busy = $state(false);
  /** Seats whose words this player does not want to see; nobody else notices. */
  muted = $state.raw<readonly string[]>([]);
  private known = $state(0);
  private seat = "";
  /** The seats of people whom the player had blocked when it was asked for. */
  private blocked = "";
  private loading: Promise<void> = Promise.resolve();
  /** A message whose answer was lost goes out again under the same id. */
  private unanswered: { text: string; to: string; id: string } | null = null;

  constructor(private readonly match: MatchStore) {
    this.known = this.kept();
  }

  /** What is shown of it: after taking a seat over one still reads one's own words where the former holder's are hidden. */
  get heard(): Message[] {
    return this.messages.filter((m) => !this.muted.includes(m.seat) || (m.seat === this.seat && !m.former));
  }

  /** How many messages of others came since they were last read, apart from those of people one has blocked. */
  get unread(): number {
    return this.heard.filter((m) => m.number > this.known && m.seat !== this.match.seat && !m.blocked).length;
  }

  /** Whether there is something of a seat to hide, or hidden: not only what is folded away, nor one's own. */
  canMute(seat: string): boolean {
    const own = seat === this.match.seat;
    return this.messages.some(
      (m) => m.seat === seat && (!own || m.former) && (!m.blocked || this.muted.includes(seat)),
    );
  }

  mute(seat: string, on: boolean): void {
    this.muted = on ? [...this.muted, seat] : this.muted.filter((s) => s !== seat);
    try {
      if (this.muted.length) localStorage.setItem(this.place(MUTED), JSON.stringify(this.muted));
      else localStorage.removeItem(this.place(MUTED));
    } catch {
      /* without storage it lasts as long as the page lives */
    }
  }

  private keptMuted(): string[] {
    const found = kept(this.place(MUTED));
    return isTexts(found) ? found : [];
  }

  /** Under what this browser keeps something for the player here. */
  private place(what: string): string {
    return `${what}.${placeOf(this.match.id)}.${this.seat}`;
  }

  read(): void {
    const last = this.messages.at(-1)?.number ?? 0;
    if (last <= this.known) return;
    this.known = last;
    try {
      localStorage.setItem(this.place(READ), String(last));
    } catch {
      /* without storage it is known as long as the page lives */
    }
  }

  private kept(): number {
    try {
      return Number(localStorage.getItem(this.place(READ)) ?? 0);
    } catch {
      return 0;
    }
  }

  /** Asks for what is new; for all of it when other seats are `blocked` than before. */
  async load(blocked = this.blocked): Promise<void> {
    const { match } = this;
    if (!match.seat || byLetters(match.id)) return;
    const { seat } = match;
    // one after the other, however many wait, so that nothing is shown twice
    this.loading = this.loading.then(() => this.fetch(seat, blocked));
    await this.loading;
  }

  private async fetch(seat: string, blocked: string): Promise<void> {
    const { match } = this;
    const again = blocked !== this.blocked;
    if (seat !== this.seat) {
      this.messages = [];
      this.seat = seat;
      this.known = this.kept();
      this.muted = this.keptMuted();
    }
    try {
      const since = again ? 0 : (this.messages.at(-1)?.number ?? 0);
      const { messages } = await api.talk(match.id, seat, match.keys[seat] ?? "", since);
      this.blocked = blocked;
      if (messages.length) this.messages = again ? messages : [...this.messages, ...messages];
    } catch {
      /* the next news asks again */
    }
  }

  async say(text: string, to: "table" | "side"): Promise<boolean> {
    const { match } = this;
    if (this.busy || !text.trim()) return false;
    this.busy = true;
    this.trouble = "";
    const same = this.unanswered?.text === text && this.unanswered.to === to;
    const id = same && this.unanswered ? this.unanswered.id : requestId();
    this.unanswered = { text, to, id };
    try {
      await api.say(match.id, { seat: match.seat, key: match.key, text, to, request_id: id });
      this.unanswered = null;
      await this.load();
      return true;
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}

const known = new WeakMap<MatchStore, Talk>();

export function talkOf(match: MatchStore): Talk {
  let talk = known.get(match);
  if (!talk) {
    talk = new Talk(match);
    known.set(match, talk);
  }
  return talk;
}
