import { carryNotes } from "../../dice/notes.ts";
import { matchOf, placeOf } from "../../net/store.ts";
import { isTable, isText, kept, tableOf } from "../storage.ts";

/** Keys of the seats played from this browser, so that a closed tab can come back. */
const KEY = "rasputitsa.keys";

type Keys = Record<string, string>;
/** By the place of a match: its number and its store. */
type Store = Record<string, Keys>;

/** As the server takes them: one that it refuses would take all others along. */
const isKey = (value: unknown): value is string => isText(value) && value.length <= 64;
const MOST_SEATS = 8;
const isSeat = (name: string): boolean => name.length > 0 && name.length <= 40;
const isMatch = (place: string): boolean => {
  const number = Number(matchOf(place));
  return Number.isSafeInteger(number) && String(number) === matchOf(place);
};

function loadFrom(name: string): Store {
  const places = Object.entries(tableOf(kept(name), isTable)).filter(([place]) => isMatch(place));
  return Object.fromEntries(places.map(([place, keys]) => [place, keysIn(keys)]));
}

const keysIn = (keys: unknown): Keys =>
  Object.fromEntries(
    Object.entries(tableOf(keys, isKey))
      .filter(([seat]) => isSeat(seat))
      .slice(0, MOST_SEATS),
  );

const load = (): Store => loadFrom(KEY);

function save(store: Store, name = KEY): void {
  try {
    localStorage.setItem(name, JSON.stringify(store));
  } catch {
    /* without storage the keys live as long as the page */
  }
}

export function remember(match: string, keys: Keys): void {
  const store = load();
  const place = placeOf(match);
  store[place] = { ...store[place], ...keys };
  save(store);
}

/** Where else keys to a match of this number lie: of an earlier version, or of another store, such as before a restore. */
const elsewhere = (store: Store, match: string): string[] =>
  Object.keys(store).filter((place) => matchOf(place) === match && place !== placeOf(match));

/** The keys that may open seats of a match, those kept for it before others; without those known not to fit. */
function candidates(store: Store, match: string, refused: ReadonlySet<string>): Keys {
  const found: Keys = {};
  for (const place of [placeOf(match), ...elsewhere(store, match)])
    for (const [seat, key] of Object.entries(store[place] ?? {}))
      if (!refused.has(key) && !(seat in found)) found[seat] = key;
  return found;
}

export const keysOf = (match: string, refused: ReadonlySet<string> = new Set()): Keys =>
  candidates(load(), match, refused);

/** The keys that fit, in place of all that were kept for this match; those kept elsewhere stay, unless they fit here. */
export function keep(match: string, keys: Keys): void {
  const store = load();
  for (const place of elsewhere(store, match)) carry(store, place, match, keys);
  if (Object.keys(keys).length) store[placeOf(match)] = keys;
  else delete store[placeOf(match)];
  save(store);
}

/** A key kept elsewhere that fits shows that it is the same match: what else was kept there comes along. */
function carry(store: Store, from: string, match: string, keys: Keys): void {
  const rest = Object.entries(store[from] ?? {}).filter(([seat, key]) => keys[seat] !== key);
  if (rest.length === Object.keys(store[from] ?? {}).length) return;
  if (rest.length) store[from] = Object.fromEntries(rest);
  else delete store[from];
  const { [from]: links, ...others } = loadFrom(LINKS);
  if (links) save({ ...others, [placeOf(match)]: { ...links, ...others[placeOf(match)] } }, LINKS);
  carryNotes(from, match);
}

const MOST = 500;

/** The keys to the matches that came last, as many as the server looks through. */
export function allKeys(): Store {
  const store = load();
  const matches = [...new Set(Object.keys(store).reverse().map(matchOf))].slice(0, MOST);
  return Object.fromEntries(matches.map((match) => [match, candidates(store, match, new Set())]));
}

export function forget(match: string): void {
  keepLinks(match, {});
  const store = load();
  delete store[placeOf(match)];
  save(store);
}

/** Tokens of the links this browser has made, so that they can be shown again until somebody has come. */
const LINKS = "rasputitsa.links";

export function linksOf(match: string): Keys {
  return loadFrom(LINKS)[placeOf(match)] ?? {};
}

export function keepLinks(match: string, links: Keys): void {
  const store = loadFrom(LINKS);
  if (Object.keys(links).length) store[placeOf(match)] = links;
  else delete store[placeOf(match)];
  save(store, LINKS);
}

export const linkTo = (token: string): string => `${location.origin}${location.pathname}#/invite/${token}`;

/** Which seat was taken last at this screen, as long as the page's tab is open; with `seat`, that it is so now. */
export function sitting(match: string, seat?: string): string | null {
  const name = `rasputitsa.sitting.${placeOf(match)}`;
  try {
    if (seat) sessionStorage.setItem(name, seat);
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
