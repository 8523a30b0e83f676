import { untrack } from "svelte";
import { prefs } from "../prefs.svelte.ts";
import type { LayerData } from "./layers.svelte.ts";
import type { Table } from "./table.svelte.ts";

/** Asks the engine again, with each position, what the view does not say. To be called while a component is set up. */
export function queryEachPosition(table: Table, layers: LayerData): void {
  const { match } = table;
  // overlays change with the position and with the layers switched on
  $effect(() => {
    void [match.shown, prefs.value.layers];
    untrack(() => void layers.load());
  });
  // announced attacks change with the position shown, also in a replay
  $effect(() => {
    void match.shown;
    untrack(() => void table.attacks.load());
  });
  // so do the hexes to which one order leads
  $effect(() => {
    void [match.view, match.historical];
    untrack(() => void table.ways.load());
  });
  // the reach of the selected units changes with the position and the selection
  $effect(() => {
    void [match.view, table.active];
    if (!table.game.interactions) untrack(() => void table.hints.loadReach());
  });
}
