import type { ViewUnit, Way } from "../../net/types.ts";
import type { Table } from "./table.svelte.ts";

/** Hexes that units can be sent to in one order of several steps, as the engine lists them. */
export class Ways {
  private known = $state.raw<readonly Way[]>([]);

  constructor(private readonly table: Table) {}

  /** Asks for them, where the game has such orders for the question at hand. */
  async load(): Promise<void> {
    const { match, game } = this.table;
    const { view } = match;
    const asked = view?.decision?.mine && game.follows?.includes(view.decision.kind) && !match.historical;
    if (!asked || !game.ways) {
      this.known = [];
      return;
    }
    const ways = await game.ways(this.table).catch(() => []);
    if (view === match.view) this.known = ways;
  }

  /** Whether a unit can be sent off in one order. */
  has(unit: ViewUnit["id"]): boolean {
    return this.known.some((w) => w.unit === unit);
  }

  /** The units whose ways are shown: the one that is dragged, or in hand, or else all. */
  shown = $derived.by((): readonly Way[] => {
    const { dragging, active } = this.table;
    const units = dragging ? [dragging] : active;
    return units.length ? this.known.filter((w) => units.includes(w.unit)) : this.known;
  });

  /** The one order that sends a unit to a hex; none where several units could go there. */
  at(hex: string, unit?: string): Way | null {
    const found = (unit ? this.known.filter((w) => w.unit === unit) : this.shown).filter((w) => w.hex === hex);
    return found.length === 1 && found[0] ? found[0] : null;
  }
}
