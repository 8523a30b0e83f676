/** Keys of the seats played from this browser, so that a closed tab can come back. */
const KEY = "rasputitsa.keys";

type Store = Record<string, Record<string, string>>;

function loadFrom(name: string): Store {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "{}") as Store;
  } catch {
    return {};
  }
}

const load = (): Store => loadFrom(KEY);

export const keysOf = (match: string): Record<string, string> => load()[match] ?? {};

export function remember(match: string, keys: Record<string, string>): void {
  const store = load();
  store[match] = { ...store[match], ...keys };
  save(store);
}

function save(store: Store, name = KEY): void {
  try {
    localStorage.setItem(name, JSON.stringify(store));
  } catch {
    /* without storage the keys live as long as the page */
  }
}

/** The keys that fit, in place of all that were kept. */
export function keep(match: string, keys: Record<string, string>): void {
  const store = load();
  if (Object.keys(keys).length) store[match] = keys;
  else delete store[match];
  save(store);
}

const MOST = 500;

/** The keys to the matches that came last, as many as the server looks through. */
export const allKeys = (): Store => Object.fromEntries(Object.entries(load()).slice(-MOST));

export function forget(match: string): void {
  keepLinks(match, {});
  const store = load();
  delete store[match];
  save(store);
}

/** Tokens of the links this browser has made, so that they can be shown again until somebody has come. */
const LINKS = "rasputitsa.links";

export function linksOf(match: string): Record<string, string> {
  return loadFrom(LINKS)[match] ?? {};
}

export function keepLinks(match: string, links: Record<string, string>): void {
  const store = loadFrom(LINKS);
  if (Object.keys(links).length) store[match] = links;
  else delete store[match];
  save(store, LINKS);
}

export const linkTo = (token: string): string => `${location.origin}${location.pathname}#/invite/${token}`;

/** Which seat was taken last at this screen, as long as the page's tab is open; with `seat`, that it is so now. */
export function sitting(match: string, seat?: string): string | null {
  const name = `rasputitsa.sitting.${match}`;
  try {
    if (seat) sessionStorage.setItem(name, seat);
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
