import { LIMITS } from "../api/limits.ts";
import { api, RefusedError } from "../net/api.ts";
import { byLetters } from "../net/letters.ts";
import type { Mark, SharedMark } from "../net/types.ts";
import type { MatchStore } from "../state/match/match.svelte.ts";

export const MOST_MARKS = LIMITS.MapNotesBody.marks;
export const MOST_LETTERS = LIMITS.MarkBody.text;

/** What stands at a place from now on; nothing where a mark is taken away. */
export interface Change {
  place: string;
  mark: Mark | null;
}

/** A place has one mark: a hex one note, and two hexes one arrow each way. */
export const placeOf = ({ at, to }: { at: string; to: string }): string => `${at}>${to}`;

export function after(marks: readonly Mark[], changes: readonly Change[]): Mark[] {
  const byPlace = new Map(marks.map((m) => [placeOf(m), m]));
  for (const { place, mark } of changes)
    if (mark) byPlace.set(place, mark);
    else byPlace.delete(place);
  return [...byPlace.values()];
}

/** What one seat has drawn on the map, as this page has it, and what others show to it. */
export class MapNotes {
  shared = $state.raw<SharedMark[]>([]);
  trouble = $state("");
  private kept = $state.raw<Mark[]>([]);
  private pending = $state.raw<Change[]>([]);
  private past = $state.raw<Change[]>([]);
  private version = "";
  private keeping = false;
  readonly own = $derived(after(this.kept, this.pending));

  constructor(
    private readonly match: MatchStore,
    private readonly seat: string,
  ) {}

  get undoable(): boolean {
    return this.past.length > 0;
  }

  at(place: string): Mark | null {
    return this.own.find((m) => placeOf(m) === place) ?? null;
  }

  put(place: string, mark: Mark | null): void {
    this.past = [...this.past, { place, mark: this.at(place) }];
    this.change({ place, mark });
  }

  /** Takes the last change back; gives the place it was at. */
  undo(): string | null {
    const last = this.past.at(-1);
    if (!last) return null;
    this.past = this.past.slice(0, -1);
    this.change(last);
    return last.place;
  }

  async load(): Promise<void> {
    if (byLetters(this.match.id)) return;
    try {
      await this.read();
    } catch {
      return; // the next news asks again
    }
    await this.keep();
  }

  private change(change: Change): void {
    this.pending = [...this.pending, change];
    void this.keep();
  }

  /** One request at a time. What another screen has drawn meanwhile stays, and the changes made here come on top. */
  private async keep(): Promise<void> {
    if (this.keeping) return;
    this.keeping = true;
    try {
      while (this.pending.length) await this.send();
      this.trouble = "";
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
      if (error instanceof RefusedError && error.status < 500) this.pending = this.past = [];
    } finally {
      this.keeping = false;
    }
  }

  private async send(): Promise<void> {
    const { match, seat, version, own, pending } = this;
    try {
      const body = { seat, key: match.keys[seat] ?? "", marks: own, version };
      this.version = (await api.draw(match.id, body)).version;
      this.kept = own;
      this.pending = this.pending.slice(pending.length);
    } catch (error) {
      if (!(error instanceof RefusedError && error.refusal.code === "map_notes_changed")) throw error;
      await this.read();
    }
  }

  private async read(): Promise<void> {
    const { match, seat } = this;
    const found = await api.mapNotes(match.id, seat, match.keys[seat] ?? "");
    [this.kept, this.version, this.shared] = [found.marks, found.version, found.shared];
  }
}

const known = new WeakMap<MatchStore, Map<string, MapNotes>>();

/** What the player at this window has drawn. */
export function mapNotesOf(match: MatchStore): MapNotes {
  const bySeat = known.get(match) ?? new Map<string, MapNotes>();
  known.set(match, bySeat);
  const mapNotes = bySeat.get(match.seat) ?? new MapNotes(match, match.seat);
  bySeat.set(match.seat, mapNotes);
  return mapNotes;
}
