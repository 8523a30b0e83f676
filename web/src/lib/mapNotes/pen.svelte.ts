import { byLetters } from "../net/letters.ts";
import type { Mark } from "../net/types.ts";
import { prefs } from "../state/prefs.svelte.ts";
import type { Table } from "../state/table/table.svelte.ts";
import { MOST_MARKS, placeOf, type MapNotes, mapNotesOf } from "./mapNotes.svelte.ts";

/** Draws on the map in place of playing on it, as long as it is in hand. */
export class Pen {
  on = $state(false);
  tool = $state<"note" | "arrow">("note");
  share = $state<Mark["share"]>("me");
  /** Where an arrow begins, until its end is chosen. */
  from = $state<string | null>(null);
  /** Where an arrow that is being dragged would lead now. */
  towards = $state<string | null>(null);
  private held = $state<string | null>(null);

  constructor(private readonly table: Table) {}

  get mapNotes(): MapNotes {
    return mapNotesOf(this.table.match);
  }

  /** The mark that can be written on. */
  get mark(): Mark | null {
    return this.held === null ? null : this.mapNotes.at(this.held);
  }

  toggle(): void {
    if (this.on) return this.close();
    if (!this.table.match.seat || byLetters(this.table.match.id)) return;
    this.on = true;
    if (!prefs.on("map_notes")) prefs.toggle("map_notes");
    this.table.say("Drawing on the map. Enter marks the hex under the cursor, Escape ends it.");
  }

  close(): void {
    this.on = false;
    this.from = this.towards = this.held = null;
  }

  take(tool: "note" | "arrow"): void {
    this.tool = tool;
    this.from = this.towards = this.held = null;
  }

  hold(mark: Mark): void {
    this.take(mark.to ? "arrow" : "note");
    this.held = placeOf(mark);
    this.share = mark.share;
  }

  /** Whether a click on a hex draws, and then it does. */
  click(hex: string): boolean {
    if (!this.on) return false;
    this.table.cursor = hex;
    if (this.tool === "note") this.place(hex, "");
    else if (this.from === null) {
      this.from = hex;
      this.held = null;
      this.table.say(`The arrow begins at ${hex}.`);
    } else this.lead(hex);
    return true;
  }

  /** Ends the arrow; where it began, there is none. */
  lead(hex: string | null): void {
    const { from } = this;
    this.from = this.towards = null;
    if (from !== null && hex !== null && hex !== from) this.place(from, hex);
  }

  write(text: string): void {
    const { mark } = this;
    if (mark && mark.text !== text) this.mapNotes.put(placeOf(mark), { ...mark, text });
  }

  shareWith(share: Mark["share"]): void {
    this.share = share;
    const { mark } = this;
    if (mark && mark.share !== share) this.mapNotes.put(placeOf(mark), { ...mark, share });
  }

  remove(): void {
    if (this.held !== null) this.mapNotes.put(this.held, null);
    this.held = null;
  }

  undo(): void {
    this.held = this.mapNotes.undo();
  }

  /** What is noted at a hex, in words. */
  told(hex: string): string {
    if (!prefs.on("map_notes")) return "";
    const here = [...this.mapNotes.own, ...this.mapNotes.shared].filter((m) => m.at === hex);
    return here.map((m) => `. ${m.to ? `Arrow to ${m.to}` : "Note"}: ${m.text || "no text"}`).join("");
  }

  private place(at: string, to: string): void {
    const { mapNotes, share } = this;
    const mark = mapNotes.at(placeOf({ at, to }));
    if (mark) return this.hold(mark);
    if (mapNotes.own.length >= MOST_MARKS) {
      this.table.match.say("info", `You have drawn ${MOST_MARKS} marks, and there is room for no more.`);
      return;
    }
    this.held = placeOf({ at, to });
    mapNotes.put(this.held, { at, to, text: "", share });
    this.table.say(to ? `Arrow from ${at} to ${to}.` : `Note at ${at}.`);
  }
}
