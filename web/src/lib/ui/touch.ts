export const touch = matchMedia("(hover: none)").matches;

/** Advice written for a mouse and keys, in the words of the hand that is there. */
export function toHand(words: string): string {
  if (!touch) return words;
  return words
    .replace(/\bclicking/g, "tapping")
    .replace(/\bClick/g, "Tap")
    .replace(/\bclick/g, "tap")
    .replace(/; or drag it there/, "")
    .replace("Point at", "Tap")
    .replace(/, or (press|fly there with) 1 - 6/, "");
}
