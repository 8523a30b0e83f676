import { prefs } from "../state/prefs.svelte.ts";
import type { Table } from "../state/table/table.svelte.ts";
import { laidOf } from "./heat.svelte.ts";
import { covers, layNames, type Plate } from "./plates.ts";

const EMPTY: ReadonlyMap<string, Plate> = new Map();
const pen = document.createElement("canvas").getContext("2d");
const widths = new Map<string, number>();

function widthOf(name: string, font: string): number {
  const key = `${font} ${name}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (pen) pen.font = font;
  const width = pen?.measureText(name).width ?? 0;
  widths.set(key, width);
  return width;
}

/** The names of places of a table, where its counters leave room for them. */
class Names {
  private readonly rested = { k: 0 };
  private fonts = $state(0);

  constructor(private readonly table: Table) {}

  /** As on the map below, the size is fitted to the scale when the map has come to rest. */
  private readonly scale = $derived.by(() => {
    const { moving, k } = this.table.viewport;
    return moving && this.rested.k ? this.rested.k : (this.rested.k = k);
  });

  readonly plates: ReadonlyMap<string, Plate> = $derived.by(() => {
    const { table } = this;
    if (!prefs.on("names") || !this.scale || this.fonts < 0) return EMPTY;
    const counters = prefs.countersHidden ? new Map() : covers(table.stacks, laidOf(table));
    return layNames(table.map, counters, this.scale, widthOf);
  });

  /** The letters have come: now it is known how wide they are. */
  measureAgain(): void {
    widths.clear();
    this.fonts += 1;
  }
}

const kept = new WeakMap<Table, Names>();

export function namesOf(table: Table): Names {
  const known = kept.get(table) ?? new Names(table);
  kept.set(table, known);
  return known;
}
