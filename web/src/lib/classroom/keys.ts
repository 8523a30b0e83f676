import { matchOf, placeOf } from "../net/store.ts";
import { isTable, isText, kept, tableOf } from "../state/storage.ts";

/** Classes that this browser teaches, and those in which it plays, by their codes. */
const TAUGHT = "rasputitsa.classes";
const PLAYED = "rasputitsa.pupil";

export interface Taught {
  key: string;
  title: string;
}
/** What a pupil comes back with. */
export interface Played {
  name: string;
  word: string;
}

const textsOf = (value: unknown): Record<string, string> => tableOf(value, isText);

const table = (name: string): Record<string, Record<string, string>> =>
  Object.fromEntries(Object.entries(tableOf(kept(name), isTable)).map(([place, entry]) => [place, textsOf(entry)]));

function put(name: string, code: string, entry: Record<string, string> | null): void {
  const all = table(name);
  delete all[placeOf(code)];
  if (entry) all[placeOf(code)] = entry;
  try {
    localStorage.setItem(name, JSON.stringify(all));
  } catch {
    /* without storage it lives as long as the page */
  }
}

/** A code as it is compared: in capitals, without blanks and dashes. */
export const plainCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** A code as it is read from a wall. */
export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

export function taught(code: string): Taught | null {
  const { key = "", title = "" } = table(TAUGHT)[placeOf(code)] ?? {};
  return key ? { key, title } : null;
}

export const allTaught = (): { code: string; title: string }[] =>
  Object.entries(table(TAUGHT))
    .filter(([place]) => place === placeOf(matchOf(place)))
    .map(([place, entry]) => ({ code: matchOf(place), title: entry["title"] ?? "" }))
    .reverse();

export const keepTaught = (code: string, entry: Taught | null): void =>
  put(TAUGHT, code, entry && { key: entry.key, title: entry.title });

export function played(code: string): Played | null {
  const { name = "", word = "" } = table(PLAYED)[placeOf(code)] ?? {};
  return name && word ? { name, word } : null;
}

export const keepPlayed = (code: string, entry: Played): void =>
  put(PLAYED, code, { name: entry.name, word: entry.word });
