import { noteDice } from "../dice/notes.ts";
import type { Caller, Wish } from "../net/bodies.ts";
import { api, RefusedError } from "../net/api.ts";
import { byLetters } from "../net/letters.ts";
import type { SeatsInfo } from "../net/types.ts";
import { forget, keep, keepLinks, linksOf, remember } from "../state/match/keys.ts";
import { hushInvitation } from "./shownOnce.ts";
import type { MatchStore } from "../state/match/match.svelte.ts";

/** Who holds the seats of a match, and what this window can do about it. */
export class Seating {
  info = $state.raw<SeatsInfo | null>(null);
  trouble = $state("");
  busy = $state(false);
  /** Tokens of the links for guests that this browser has made. */
  links = $state.raw<Record<string, string>>({});
  /** The link for another device, and the seat it is for. */
  device = $state.raw<{ seat: string; token: string } | null>(null);
  /** How often keys were renewed here, with which notices, calendar and standing orders of the seat end. */
  renewed = $state(0);
  /** The seat the player would take as well, while the page asks whether that is meant. */
  taking = $state("");
  /** Whether the offer of a draw that goes now goes by this player's own word. */
  private declining = false;
  private readonly ready: Promise<void>;

  constructor(private readonly match: MatchStore) {
    this.links = linksOf(match.id);
    this.ready = this.load();
  }

  /** Whether the computer may advise now; until it is known, no. */
  get hints(): boolean {
    return Boolean(this.info?.hints) || (!byLetters(this.match.id) && Boolean(this.match.view?.outcome));
  }

  first(): Promise<void> {
    return this.ready;
  }

  async load(): Promise<void> {
    const { match } = this;
    if (byLetters(match.id)) return;
    try {
      const before = this.info;
      const offering = this.offering;
      this.info = await api.seats(match.id, match.seat, match.key);
      if (offering && !this.offering && !this.declining && !match.view?.outcome && !this.busy)
        match.say("info", "The offer of a draw was declined, or is too old.");
      this.declining = false;
      const come = Object.entries(this.info.seats)
        .filter(([seat, s]) => s.state === "person" && before?.seats[seat]?.state === "waiting")
        .map(([seat]) => match.seats.find((s) => s.id === seat)?.title ?? seat);
      if (come.length) match.say("info", `A player has joined as ${come.join(" and ")}.`);
      const waiting = Object.entries(this.links).filter(([seat]) => this.info?.seats[seat]?.link);
      if (waiting.length !== Object.keys(this.links).length) this.remember(Object.fromEntries(waiting));
    } catch {
      /* the next news asks again */
    }
  }

  /** Seats to which this browser has invited and nobody has come yet. */
  get pending(): string[] {
    return Object.keys(this.links).filter((seat) => this.info?.seats[seat]?.link);
  }

  /** Whether the one who sits here may renew or withdraw the invitation to a seat. */
  offers(seat: string): boolean {
    const state = this.info?.seats[seat];
    return state?.state === "waiting" && state.inviter.some((s) => this.info?.seats[s]?.state === "yours");
  }

  /** A key of one's own, or nothing for the owner of the machine who looks on. */
  private caller(): Caller {
    const own = this.match.seat || Object.keys(this.match.keys)[0];
    return own ? { seat: own, key: this.match.keys[own] ?? "" } : {};
  }

  private async attempt(work: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.trouble = "";
    try {
      await work();
      return true;
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.busy = false;
      await this.load();
    }
  }

  private remember(links: Record<string, string>): void {
    this.links = links;
    keepLinks(this.match.id, links);
  }

  invite(seat: string): Promise<boolean> {
    return this.attempt(async () => {
      const { token } = await api.invite(this.match.id, { ...this.caller(), of: seat, kind: "guest" });
      // known before the state is asked for, which forgets links that are void
      this.remember({ ...this.links, [seat]: token });
    });
  }

  withdraw(seat: string): Promise<boolean> {
    return this.attempt(async () => {
      await api.uninvite(this.match.id, { ...this.caller(), of: seat });
      this.remember(Object.fromEntries(Object.entries(this.links).filter(([s]) => s !== seat)));
    });
  }

  /** Everybody may take the seat from the list of open tables. */
  publish(seat: string, pace: Wish["pace"], level: Wish["level"]): Promise<boolean> {
    return this.attempt(async () => {
      await api.publish(this.match.id, { ...this.caller(), of: seat, pace, level });
    });
  }

  withdrawOpen(seat: string): Promise<boolean> {
    return this.attempt(async () => void (await api.withdraw(this.match.id, { ...this.caller(), of: seat })));
  }

  toDevice(seat: string): Promise<boolean> {
    return this.attempt(async () => {
      const { token } = await api.invite(this.match.id, {
        seat,
        key: this.match.keys[seat] ?? "",
        of: seat,
        kind: "device",
      });
      this.device = { seat, token };
    });
  }

  /**
   * A new key for this window; all other windows on the seat are closed, and what somebody else may have set up for it
   * ends. Each step can be repeated without harm.
   */
  renew(seat: string): Promise<boolean> {
    return this.attempt(async () => {
      const { match } = this;
      const { key } = await api.anotherKey(match.id, seat, match.keys[seat] ?? "");
      match.rekey({ ...match.keys, [seat]: key });
      await api.onlyKey(match.id, seat, key);
      this.device = null;
      this.renewed += 1;
      match.say(
        "info",
        "All other windows on this seat are closed, and its notices, calendar and standing orders ended.",
      );
    });
  }

  async leave(seat: string): Promise<void> {
    const { match } = this;
    const rest = Object.fromEntries(Object.entries(match.keys).filter(([s]) => s !== seat));
    const done = await this.attempt(async () => {
      await api.leave(match.id, seat, match.keys[seat] ?? "");
      if (Object.keys(rest).length) keep(match.id, rest);
      else forget(match.id);
    });
    if (!done) return;
    if (Object.keys(rest).length) location.reload();
    else location.hash = "#/";
  }

  /** One's own seat goes to the computer or comes back. */
  hand(seat: string, bot: string | null): Promise<boolean> {
    return this.attempt(async () => {
      const { match } = this;
      const controller = bot === null ? { kind: "human" as const } : { kind: "bot" as const, bot };
      await api.controllers(match.id, { seat, key: match.keys[seat] ?? "", controller });
      await match.refresh();
      // a player who hands a seat to the computer goes on in another seat of their own
      const own = Object.entries(match.view?.controllers ?? {}).find(
        ([s, c]) => s !== seat && c.kind !== "bot" && match.keys[s],
      );
      if (bot !== null && seat === match.seat && own) await match.sitAt(own[0]);
    });
  }

  /** Plays a seat of the computer as well; asks first if both sides would be seen. */
  async take(seat: string, sure = false): Promise<void> {
    const { match } = this;
    await this.attempt(async () => {
      const own = match.seat;
      try {
        const answer = await api.controllers(match.id, {
          seat: own,
          key: match.key,
          of: seat,
          controller: { kind: "human" },
          opens: sure,
        });
        this.taking = "";
        match.rekey({ ...match.keys, ...answer.keys });
        await match.refresh();
      } catch (error) {
        if (error instanceof RefusedError && error.refusal.code === "opens_match") this.taking = seat;
        else throw error;
      }
    });
  }

  /** Agrees that a seat nobody plays goes to somebody new, or (`bot`) to the computer. */
  settle(seat: string, bot: string | null, yes = true): Promise<boolean> {
    return this.attempt(async () => {
      const topic = bot === null ? { topic: "invite" as const } : { topic: "computer" as const, bot };
      const answer = await api.agree(this.match.id, { ...this.caller(), ...topic, of: seat, yes });
      if (answer.token) this.remember({ ...this.links, [seat]: answer.token });
      await this.match.refresh();
    });
  }

  /** Seats of others that offer a draw. */
  get offered(): string[] {
    return (this.info?.draws ?? []).filter((seat) => this.info?.seats[seat]?.state !== "yours");
  }

  /** Whether this player has offered one. */
  get offering(): boolean {
    return (this.info?.draws ?? []).some((seat) => this.info?.seats[seat]?.state === "yours");
  }

  /** Resigns, or agrees to a draw; without `yes` no longer, or declines one. */
  end(how: "resign" | "draw", yes = true): Promise<boolean> {
    return this.attempt(async () => {
      this.declining = how === "draw" && !yes;
      const answer = await api.end(this.match.id, { ...this.caller(), how, yes });
      if (answer.word) this.match.say("info", answer.word);
      if (answer.done) await this.match.refresh();
    });
  }

  /** Asks for one more game, or goes to the one that is there, with further keys. */
  playAgain(): Promise<boolean> {
    return this.attempt(async () => {
      const { match } = this;
      const known = this.info?.rematch;
      if (known) {
        // the seed is bound before one's own share is revealed
        const { dice } = await api.view(known.match, "", "");
        noteDice(known.match, dice, false);
      }
      const own = Object.keys(match.keys).find((seat) => seat === match.seat) ?? Object.keys(match.keys)[0] ?? "";
      const made = await api.rematch(match.id, own, match.keys[own] ?? "", known?.door !== "taken");
      remember(made.id, made.keys);
      if (Object.keys(made.invitations).length) keepLinks(made.id, made.invitations);
      hushInvitation(made.id); // they are notified in this match, and need no link
      location.hash = `#/match/${made.id}`;
    });
  }

  agreeToHints(yes: boolean): Promise<boolean> {
    return this.attempt(async () => void (await api.agree(this.match.id, { ...this.caller(), topic: "hints", yes })));
  }
}

const known = new WeakMap<MatchStore, Seating>();

export function seatingOf(match: MatchStore): Seating {
  let seating = known.get(match);
  if (!seating) {
    seating = new Seating(match);
    known.set(match, seating);
  }
  return seating;
}
