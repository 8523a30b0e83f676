import type { Table } from "../state/table/table.svelte.ts";

/** Whether a player has gone another way since a plan was given: it then speaks of a position that is no more. */
export class Straying {
  /** The entry before the first order that is not of the plan. */
  private from = $state.raw<number | null>(null);
  private keeping = false;

  constructor(private readonly table: Table) {}

  /** Taking the order back is as good as never having given it. */
  get now(): boolean {
    return this.from !== null && (this.table.match.view?.ply ?? 0) > this.from;
  }

  /** An order has been given at an entry. */
  note(ply: number): void {
    if (!this.keeping && !this.now) this.from = ply;
  }

  /** A new plan, or the old one again. */
  forget(): void {
    this.from = null;
  }

  /** Does what the plan says. */
  async keeps<T>(act: () => Promise<T>): Promise<T> {
    this.forget();
    this.keeping = true;
    try {
      return await act();
    } finally {
      this.keeping = false;
    }
  }
}
