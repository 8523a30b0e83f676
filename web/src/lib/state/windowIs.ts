import { scaled } from "./breakpoints.ts";
import { prefs } from "./prefs.svelte.ts";
import { noticing, roomFor } from "./textSize.ts";

/** Up to this width the panels are below the map, not next to it. */
export const NARROW = "(max-width: 47.5em)";
/** Up to this height, as of a phone held across, only little can be read at once. */
export const LOW = "(max-height: 32em)";

/** Whether the window is as a condition for letters of the usual size says, whatever size they have; changes are noticed. */
export const windowIs = (condition: string): boolean => noticing(scaled(condition, roomFor(prefs.value.textScale)));
