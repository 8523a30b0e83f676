import type { GameClient } from "../../../games/types.ts";
import type { Odds } from "../../net/types.ts";
import type { MatchStore } from "../match/match.svelte.ts";

/** An attack that is being put together: its hexes and the units chosen so far. */
export interface Building {
  targets: string[];
  units: string[];
}

/** The final odds of an attack, or that nobody is left to be attacked. */
export const oddsOf = ({ final, columns, legal }: Odds): string =>
  legal !== false && columns?.length === 0 ? "cleared" : final;

/** The attacks announced, and the one being put together. */
export class Attacks {
  /** Final odds of each planned attack, by its number. */
  planned = $state.raw<ReadonlyMap<number, string>>(new Map());

  constructor(
    private readonly match: MatchStore,
    private readonly game: GameClient,
  ) {}

  building = $derived.by((): Building | null => this.game.building?.(this.match) ?? null);

  /** Asks for the odds of every attack still to be resolved. */
  async load(): Promise<void> {
    const view = this.match.shown;
    const open = (view?.attacks ?? []).filter((a) => a.state === "open");
    if (!open.length || this.match.historical) {
      this.planned = new Map();
      return;
    }
    const found = await Promise.all(
      open.map(async (a) => {
        const odds = await this.match
          .ask("odds", { targets: a.targets.join(","), units: a.units.join(",") })
          .catch(() => null);
        return [a.n, odds ? oddsOf(odds) : "?"] as const;
      }),
    );
    if (view === this.match.shown) this.planned = new Map(found);
  }
}
