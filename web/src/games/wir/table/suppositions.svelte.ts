import { placeOf } from "../../../lib/net/store.ts";
import { isTable, kept, tableOf } from "../../../lib/state/storage.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import type { WirUnit } from "../model/types.ts";

/** What a player supposes of an enemy group whose units are hidden. */
export interface Supposed {
  strength: number;
  experience: number;
  entrenchment: number;
}
const KEY = "rasputitsa.wir.supposed";
/** Where a player has no group of that kind to go by. */
const GUESS: Supposed = { strength: 250, experience: 50, entrenchment: 0 };

/** What each seat has supposed so far; kept while the page is open. */
export class Suppositions {
  private kept = $state.raw<{ name: string; of: Record<string, Supposed> }>({ name: "", of: {} });

  constructor(private readonly table: Table) {}

  private get name(): string {
    const { match } = this.table;
    return `${placeOf(match.id)}.${match.seat}`;
  }

  private get own(): Record<string, Supposed> {
    return this.kept.name === this.name ? this.kept.of : read(this.name);
  }

  of(group: string): Supposed | null {
    return this.own[group] ?? null;
  }

  /** Supposes something of a hidden group, or nothing more. */
  set(group: string, what: Supposed | null): void {
    const { [group]: _, ...others } = this.own;
    const of = what ? { ...others, [group]: what } : others;
    this.kept = { name: this.name, of };
    try {
      sessionStorage.setItem(`${KEY}.${this.name}`, JSON.stringify(of));
    } catch {
      /* it then lasts until the page is left */
    }
  }

  /** What is supposed of some groups, as the question of odds takes it. */
  written(groups: readonly WirUnit[]): string {
    return groups
      .flatMap((u) => {
        const s = this.of(u.id);
        return s ? [`${u.id}:${s.strength}:${s.experience}:${s.entrenchment}`] : [];
      })
      .join(",");
  }
}

/** A first guess at a hidden group: as an average one of some others, rounded to tens. */
export function averageOf(groups: readonly WirUnit[]): Supposed {
  const units = groups.flatMap((u) => u.units ?? []);
  const mean = (figures: number[], of: number): number =>
    Math.round(figures.reduce((n, x) => n + x, 0) / Math.max(1, of));
  const strengths = units.map((c) => c.strength);
  return {
    strength: Math.round(mean(strengths, groups.length) / 10) * 10 || GUESS.strength,
    experience:
      mean(
        units.map((c) => c.experience),
        units.length,
      ) || GUESS.experience,
    entrenchment: GUESS.entrenchment,
  };
}

const isSupposed = (value: unknown): value is Supposed =>
  isTable(value) && [value.strength, value.experience, value.entrenchment].every(Number.isFinite);

const read = (name: string): Record<string, Supposed> => tableOf(kept(`${KEY}.${name}`, "sessionStorage"), isSupposed);
