import { placeOf } from "../../net/store.ts";
import { isTexts, kept } from "../storage.ts";

const KEY = "rasputitsa.told";
const MOST = 500;

/** Whether something about a match is news in this browser; from now on it is not. */
export function firstTime(match: string, what: string): boolean {
  const news = `${placeOf(match)} ${what}`;
  const found = kept(KEY);
  const known = isTexts(found) ? found : [];
  if (known.includes(news)) return false;
  try {
    localStorage.setItem(KEY, JSON.stringify([...known, news].slice(-MOST)));
  } catch {
    /* without storage it is news on every page */
  }
  return true;
}
