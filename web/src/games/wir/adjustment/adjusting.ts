import type { DecisionOption } from "../../../lib/net/types.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import type { City } from "../model/types.ts";
import { type WirTableState, wirState } from "../table/tableState.svelte.ts";

/** What the orders of the adjustment are about, and how they are given. */
export class Adjusting {
  readonly table: Table;
  readonly wir: WirTableState;

  constructor(table: Table) {
    this.table = table;
    this.wir = wirState(table);
  }

  get transfers(): DecisionOption[] {
    return this.wir.of("transfer");
  }

  /** Transfers of aircraft, from the pool and between groups. */
  get flights(): DecisionOption[] {
    return [...this.wir.of("reinforce"), ...this.wir.of("aircraft")];
  }

  /** The town of a hex, or else its number. */
  place(hex: string | null | undefined): string {
    return hex ? (this.table.map.byId.get(hex)?.place?.name ?? hex) : "";
  }

  /** Where the group stands that divides, or sends something. */
  origin(o: DecisionOption): string | null {
    return this.table.whereIs(o.source || o.unit || "");
  }

  /** Where the group stands that something is sent to. */
  destination(o: DecisionOption): string | null {
    return this.table.whereIs(o.target ?? "");
  }

  population(o: DecisionOption): number {
    return this.city(o.hex)?.population ?? 0;
  }

  /** Factories of every kind. */
  factories(o: DecisionOption): number {
    const city = this.city(o.hex);
    return (["industry", "vehicle", "artillery", "aircraft"] as const).reduce((n, v) => n + (city?.[v] ?? 0), 0);
  }

  /** Factories of every kind, in words. */
  factoriesOf(o: DecisionOption): string {
    const count = this.factories(o);
    return count === 1 ? "1 factory" : `${count} factories`;
  }

  /** The options of a verb that concern cities in play, the largest first. */
  byPopulation(verb: string): DecisionOption[] {
    const inPlay = this.wir.of(verb).filter((o) => this.table.map.byId.get(o.hex ?? "")?.in_play !== false);
    return inPlay.sort((a, b) => this.population(b) - this.population(a));
  }

  /** How many cities a verb is offered for, in words. */
  cities(verb: string): string {
    const { length } = this.byPopulation(verb);
    return length === 1 ? "1 city" : `${length} cities`;
  }

  /** Gives an order, and selects the hex that it is about. */
  give(o: DecisionOption): void {
    const at = o.hex ?? this.origin(o);
    if (at) this.table.select(at);
    void this.table.choose(o);
  }

  private city(hex: string | null): City | undefined {
    return this.wir.view?.cities?.find((c) => c.hex === hex);
  }
}
