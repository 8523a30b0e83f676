import { LIMITS } from "../api/limits.ts";
import { api, RefusedError } from "../net/api.ts";
import type { MatchStore } from "../state/match/match.svelte.ts";

export const MOST = LIMITS.NotesBody.text;
const PAUSE_MS = 800;
const BETWEEN = "\n\n";

/** The private notes of one seat, as this page has them. */
class Sheet {
  text = $state("");
  stage = $state<"loading" | "unread" | "kept" | "changed" | "failed" | "parted">("loading");
  /** What was noted down at another screen meanwhile, for the player to choose. */
  elsewhere = $state("");
  trouble = $state("");
  /** Of the notes that what is written here takes the place of. */
  private version = "";
  private shown = false;
  private keeping = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What was sent and not answered: if it is found later, it came from here. */
  private readonly unanswered = new Set<string>();

  constructor(
    private readonly match: MatchStore,
    private readonly seat: string,
  ) {}

  get fitsBoth(): boolean {
    return this.text.length + BETWEEN.length + this.elsewhere.length <= MOST;
  }

  /** The player looks at them; what could not be kept yet is still there. */
  async show(): Promise<void> {
    this.shown = true;
    if (this.stage === "changed" || this.stage === "failed") return this.keep();
    if (this.stage === "parted") return;
    this.stage = "loading";
    try {
      const found = await this.read();
      if (!this.shown || this.stage !== "loading") return;
      [this.text, this.version, this.stage] = [found.text, found.version, "kept"];
    } catch {
      if (this.stage === "loading") this.stage = "unread"; // nothing is written over what could not be read
    }
  }

  /** The next player at the same screen does not read them, however long keeping them takes. */
  putAway(): void {
    this.shown = false;
    if (this.stage === "kept") this.forget();
    else void this.keep();
  }

  change(): void {
    if (this.stage === "parted") return;
    this.stage = "changed";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.keep(), PAUSE_MS);
  }

  /** What is to stand where two screens have written: nothing is lost before the player has said so. */
  choose(what: "both" | "mine" | "elsewhere"): void {
    if (what === "elsewhere") this.text = this.elsewhere;
    if (what === "both") this.text += BETWEEN + this.elsewhere;
    this.elsewhere = "";
    this.stage = "changed";
    void this.keep();
  }

  /** One request at a time; what is written meanwhile follows. */
  async keep(): Promise<void> {
    clearTimeout(this.timer);
    if (this.keeping) return;
    this.keeping = true;
    try {
      while (this.stage === "changed" || this.stage === "failed") {
        const written = this.text;
        if (!(await this.put(written))) return;
        if (this.text === written) {
          this.stage = "kept";
          if (!this.shown) this.forget();
        }
      }
    } catch (error) {
      this.stage = "failed";
      this.trouble = error instanceof Error ? error.message : String(error);
    } finally {
      this.keeping = false;
    }
  }

  /** Whether it is there now; false when it is another screen's turn to be read first. */
  private async put(written: string): Promise<boolean> {
    const { match, seat, version } = this;
    this.unanswered.add(written);
    try {
      const body = { seat, key: match.keys[seat] ?? "", text: written, version };
      this.version = (await api.noteDown(match.id, body)).version;
      this.unanswered.clear();
      return true;
    } catch (error) {
      if (!(error instanceof RefusedError && error.refusal.code === "notes_changed")) throw error;
    }
    const found = await this.read();
    this.version = found.version;
    if (this.unanswered.has(found.text)) return this.put(written);
    [this.elsewhere, this.stage] = [found.text, "parted"];
    return false;
  }

  private read(): Promise<{ text: string; version: string }> {
    const { match, seat } = this;
    return api.notes(match.id, seat, match.keys[seat] ?? "");
  }

  private forget(): void {
    [this.text, this.version, this.stage] = ["", "", "loading"];
  }
}

const known = new WeakMap<MatchStore, Map<string, Sheet>>();

/** The notes of the player at this window. */
export function sheetOf(match: MatchStore): Sheet {
  const sheets = known.get(match) ?? new Map<string, Sheet>();
  known.set(match, sheets);
  const sheet = sheets.get(match.seat) ?? new Sheet(match, match.seat);
  sheets.set(match.seat, sheet);
  return sheet;
}
