import { untrack } from "svelte";
import { placeOfStep } from "../../lessons/place.ts";
import { placeOfEvents } from "./placeOfEvents.ts";
import type { Table } from "./table.svelte.ts";

/** What a question of one's own is about comes into view, or what the step of a lesson is about. */
function lookAtQuestion(table: Table): void {
  const { match } = table;
  const d = match.view?.decision;
  if (!d?.mine || match.historical) return;
  const [hex] = d.hexes;
  const [unit] = d.units;
  const place = placeOfStep(table) ?? hex ?? (unit ? table.whereIs(unit) : null);
  if (place) table.camera.look(place);
  else table.lookAtChoices();
}

/**
 * Moves the map to where something happens. The camera is outside of what Svelte keeps in step, so these are effects.
 * To be called while a component is set up; `covered` says whether a sheet covers part of the map.
 */
export function followWithCamera(table: Table, covered: () => boolean): void {
  const { match } = table;
  // the opponent's steps: the last place named
  $effect(() => {
    const view = match.view;
    if (!view || view.decision?.mine || !match.queued) return;
    const place = placeOfEvents(view.last_events.at(-1)?.events ?? []);
    if (place) untrack(() => table.camera.look(place));
  });
  // so are the steps of a replay
  $effect(() => {
    const at = match.historical?.at;
    if (!at) return;
    const place = placeOfEvents(match.log.entries.findLast((e) => e.ply < at)?.events ?? []);
    if (place) untrack(() => table.camera.look(place));
  });
  // a question of one's own, once what led to it has been shown
  $effect(() => {
    if (match.view?.decision?.mine && !match.queued) untrack(() => lookAtQuestion(table));
  });
  // and it stays in view when a sheet covers part of the map
  $effect(() => {
    if (covered()) setTimeout(() => lookAtQuestion(table), 300);
  });
}
