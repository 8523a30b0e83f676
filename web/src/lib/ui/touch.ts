export const touch = globalThis.matchMedia?.("(hover: none)").matches ?? false;

/** How a hex is asked about, with a mouse or without one. */
export const PointAt = touch ? "Choose" : "Point at";

/** What the page says where nothing is looked at yet. */
export const pointAtHex = (keys: string): string =>
  touch ? "Choose a hex to read about it." : `Point at a hex, or move the cursor with ${keys}.`;

/** Words about what takes a mouse or keys. */
export const withMouse = (words: string): string => (touch ? "" : words);
