/**
 * Which store of matches answers at this address. Numbers of matches come again in another one, as when the server is
 * started on other data, so what this browser keeps for a match is kept for its store as well.
 */
export const STORE_HEADER = "x-rasputitsa-store";

let here = "";

/** What an answer says of the store; one that says nothing changes nothing. */
export function hearOfStore(named: string | null): void {
  if (named && /^[0-9a-f]{16}$/.test(named)) here = named;
}

export const knowsStore = (): boolean => here !== "";

/** The name under which this browser keeps something for a match. */
export const placeOf = (match: string): string => (here ? `${match}@${here}` : match);

/** The match that a name is for; names without a store were given by an earlier version. */
export const matchOf = (place: string): string => place.split("@")[0] ?? place;
