import { tick } from "svelte";

/** What an act has to say, and else where one goes on. */
const PLACES = ['[role="alert"]', '[role="status"]', "input:not([readonly])", "h1"];

/** After an act the focus is at what it has to say, at the first field, or at `place`: it is never lost. */
export async function land(within: HTMLElement | undefined, place = ""): Promise<void> {
  await tick();
  const places = place ? [...PLACES.slice(0, 2), place, ...PLACES.slice(2)] : PLACES;
  for (const each of places) {
    const found = within?.querySelector<HTMLElement>(each);
    if (found) return found.focus();
  }
}
