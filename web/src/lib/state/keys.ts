/** Keys of the seats played from this browser, so that a closed tab can come back. */
const KEY = "rasputitsa.keys";

type Store = Record<string, Record<string, string>>;

function load(): Store {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Store;
  } catch {
    return {};
  }
}

export const keysOf = (match: string): Record<string, string> => load()[match] ?? {};

export function remember(match: string, keys: Record<string, string>): void {
  const store = load();
  store[match] = { ...store[match], ...keys };
  try {
    localStorage.setItem(KEY, JSON.stringify(store));
  } catch {
    /* without storage the keys live as long as the page */
  }
}

export function forget(match: string): void {
  const store = load();
  delete store[match];
  localStorage.setItem(KEY, JSON.stringify(store));
}

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
