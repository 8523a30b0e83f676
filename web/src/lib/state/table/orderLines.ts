import type { Table } from "./table.svelte.ts";

/** What one order, or one press, carried out as several steps, so that it can be taken back at once. */
export class OrderLines {
  private lines: { from: number; to: number; seat: string }[] = [];
  private ply = -1;

  constructor(private readonly table: Table) {}

  /** Remembers what one order has brought about. */
  note(): void {
    const { view, seat } = this.table.match;
    if (!view || view.at !== undefined) return;
    this.lines = this.lines.filter((l) => l.to <= view.ply);
    if (this.ply >= 0 && view.ply > this.ply + 1) this.lines.push({ from: this.ply, to: view.ply, seat });
    this.ply = view.ply;
  }

  /** Takes all that was ordered since a step for one order. */
  join(from: number): void {
    const { view, seat } = this.table.match;
    if (!view || view.ply <= from + 1) return;
    this.lines = [...this.lines.filter((l) => l.to <= from), { from, to: view.ply, seat }];
    this.ply = view.ply;
  }

  /** Does something, and takes all that it ordered for one order. */
  async asOne<T>(act: () => Promise<T>): Promise<T> {
    const from = this.table.match.view?.ply ?? 0;
    try {
      return await act();
    } finally {
      this.join(from);
    }
  }

  /** Forgets what has been taken back. */
  cut(): void {
    const ply = this.table.match.view?.ply ?? 0;
    this.lines = this.lines.filter((l) => l.to <= ply);
  }

  /** Where the last order began, or as near to it as one may go back without asking; none where it was a single step. */
  undoTo(): number | undefined {
    const { view, seat } = this.table.match;
    const line = this.lines.at(-1);
    if (!view || !line || line.to !== view.ply || line.seat !== seat || view.undo_to === null) return undefined;
    return Math.max(line.from, view.undo_to);
  }
}
