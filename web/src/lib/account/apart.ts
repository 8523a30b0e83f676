import { placeOf } from "../net/store.ts";
import { isTexts, kept } from "../state/storage.ts";

/**
 * Matches that this browser had keys to before somebody signed in: perhaps somebody else's, so they are kept with the
 * account only when its person says so.
 */
const NAME = "rasputitsa.apart";

const load = (): string[] => {
  const found = kept(NAME);
  return isTexts(found) ? found : [];
};

export const standsApart = (match: string): boolean => load().includes(placeOf(match));

export function setApart(matches: readonly string[]): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(matches.map(placeOf)));
  } catch {
    /* without storage there are no keys of before */
  }
}
