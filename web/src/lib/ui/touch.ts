export const touch = globalThis.matchMedia?.("(hover: none)").matches ?? false;

/** What a hand does to a thing on the page, as it has a mouse or none. */
export const Click = touch ? "Tap" : "Click";
export const click = touch ? "tap" : "click";
export const clicking = touch ? "tapping" : "clicking";
export const PointAt = touch ? "Tap" : "Point at";

/** What the page says where nothing is looked at yet. */
export const pointAtHex = (keys: string): string =>
  touch ? "Tap a hex to read about it." : `Point at a hex, or move the cursor with ${keys}.`;

/** Words about what takes a mouse or keys. */
export const withMouse = (words: string): string => (touch ? "" : words);
