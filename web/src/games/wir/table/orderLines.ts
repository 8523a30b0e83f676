import type { Table } from "../../../lib/state/table/table.svelte.ts";

/** Orders that were carried out as several steps, so that each can be taken back at once. */
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

  /** The step at which the last order began, if one may go back there without asking. */
  undoTo(): number | undefined {
    const { view, seat } = this.table.match;
    const line = this.lines.at(-1);
    if (!view || !line || line.to !== view.ply || line.seat !== seat) return undefined;
    return view.undo_to !== null && view.undo_to <= line.from ? line.from : undefined;
  }
}
