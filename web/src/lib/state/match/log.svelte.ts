import { api } from "../../net/api.ts";
import type { LogEntry, View } from "../../net/types.ts";

/** The game's log as far as this seat may read it, kept whole and in order. */
export class GameLog {
  entries = $state.raw<LogEntry[]>([]);
  private loading = false;
  private reader = 0;

  constructor(
    private readonly match: string,
    private readonly seat: () => { seat: string; key: string },
  ) {}

  get last(): number {
    return this.entries.at(-1)?.ply ?? -1;
  }

  /** Takes over a view's newest entries; asks the server for any that lie between. */
  take(view: View): void {
    if (view.at !== undefined && view.at !== null) return;
    const fresh = view.last_events ?? [];
    const first = fresh[0]?.ply;
    const top = fresh.at(-1)?.ply ?? -1;
    if (
      this.last >= view.ply ||
      (first === undefined && this.entries.length === 0) ||
      (first !== undefined && first > this.last + 1)
    ) {
      void this.reload();
      return;
    }
    if (top > this.last) this.entries = [...this.entries, ...fresh.filter((e) => e.ply > this.last)];
  }

  /** After an undo the tail is gone: cut it and read again. */
  cut(ply: number): void {
    this.entries = this.entries.filter((e) => e.ply < ply);
    void this.reload();
  }

  /** Another seat reads from now on, and may not know the same. */
  async change(): Promise<void> {
    this.reader += 1;
    this.loading = false;
    this.entries = [];
    await this.reload();
  }

  async reload(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    const reader = this.reader;
    try {
      const { seat, key } = this.seat();
      let all: LogEntry[] = [];
      for (;;) {
        const page = await api.log(this.match, seat, key, all.length);
        all = [...all, ...page];
        if (page.length < 2000) break;
      }
      if (reader === this.reader) this.entries = all;
    } catch {
      /* the next view tries again */
    } finally {
      if (reader === this.reader) this.loading = false;
    }
  }
}

/** The log of a long game goes on being read while the map is shown. */
export const soon = (work: Promise<void>): Promise<void> =>
  Promise.race([work, new Promise<void>((done) => setTimeout(done, 400))]);
