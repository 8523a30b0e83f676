import { placeOf } from "../../net/store.ts";

const KEY = "rasputitsa.told";
const MOST = 500;

/** Whether something about a match is news in this browser; from now on it is not. */
export function tellOnce(match: string, what: string): boolean {
  const news = `${placeOf(match)} ${what}`;
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? "[]") as string[];
    if (known.includes(news)) return false;
    localStorage.setItem(KEY, JSON.stringify([...known, news].slice(-MOST)));
  } catch {
    /* without storage it is news on every page */
  }
  return true;
}
