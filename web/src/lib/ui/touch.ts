export const touch = globalThis.matchMedia?.("(hover: none)").matches ?? false;

/** What a hand does to a thing on the page, as it has a mouse or none. */
export const Click = touch ? "Tap" : "Click";
export const click = touch ? "tap" : "click";
export const clicking = touch ? "tapping" : "clicking";
export const PointAt = touch ? "Tap" : "Point at";

/** Words about what takes a mouse or keys. */
export const withMouse = (words: string): string => (touch ? "" : words);
