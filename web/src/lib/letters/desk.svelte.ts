import { letters } from "../net/letters.ts";
import type { LetterMatch, LetterRead } from "../net/types.ts";

/** The letters of one match: what came, what is to be sent, and what went wrong. */
export class LetterDeskState {
  match = $state.raw<LetterMatch | null>(null);
  read = $state.raw<LetterRead | null>(null);
  /** What lies in the field for a letter that came. */
  pasted = $state("");
  note = $state("");
  trouble = $state("");
  busy = $state(false);

  constructor(
    readonly code: string,
    private readonly onchange: () => unknown,
  ) {}

  async load(): Promise<void> {
    await this.attempt(async () => {
      this.match = await letters.standing(this.code);
    });
  }

  /** Gives a letter that came to the program; a letter that is refused stays in the field. */
  async open(): Promise<void> {
    await this.attempt(async () => {
      this.read = await letters.read(this.code, this.pasted);
      this.match = this.read.match;
      this.pasted = "";
      this.onchange();
    });
  }

  async write(resign = false): Promise<void> {
    await this.attempt(async () => {
      this.match = await letters.write(this.code, this.note.trim(), resign);
      this.read = null;
      this.note = "";
      this.onchange();
    });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.trouble = "";
    try {
      await work();
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
  }
}
