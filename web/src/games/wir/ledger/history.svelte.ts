import { api } from "../../../lib/net/api.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { type WirView, wirView } from "../model/types.ts";

const MOST = 40;

/** The position at the start of each week as this seat saw it, fetched once and kept. */
export class History {
  weeks = $state.raw<WirView[]>([]);
  loading = $state(false);
  private readonly kept = new Map<string, WirView>();

  constructor(private readonly table: Table) {}

  async load(): Promise<void> {
    const { match } = this.table;
    if (this.loading) return;
    this.loading = true;
    try {
      const entries = match.log.entries;
      // a week begins after the entry that tells of it; the first one with the game
      let plies = [0, ...entries.filter((e) => e.events.some((v) => v.kind === "turn")).map((e) => e.ply + 1)];
      const every = Math.ceil(plies.length / MOST);
      plies = plies.filter((_, i) => i % every === 0 || i === plies.length - 1);
      const found: WirView[] = [];
      for (const ply of plies) {
        // once the game is over every week is open
        const name = `${match.seat}@${ply}${match.view?.outcome ? " open" : ""}`;
        const known =
          this.kept.get(name) ??
          wirView(ply >= (match.view?.ply ?? 0) ? match.view : await api.view(match.id, match.seat, match.key, ply))!;
        if (ply < (match.view?.ply ?? 0)) this.kept.set(name, known);
        found.push(known);
        if (found.length % 6 === 0) this.weeks = [...found];
      }
      if (match.view && found.at(-1)?.ply !== match.view.ply) found.push(wirView(match.view)!);
      this.weeks = found;
    } catch {
      /* charts show what could be had */
    } finally {
      this.loading = false;
    }
  }
}
