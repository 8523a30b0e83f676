import { placeOf } from "../net/store.ts";
import type { DiceInfo } from "../net/types.ts";
import { isTable, isText, isTexts, kept, tableOf } from "../state/storage.ts";

/** What this browser has added to the dice of a match, and the digests it was shown, so that it can tell a change. */
const KEY = "rasputitsa.dice";
const MOST = 200;

export interface Note {
  share?: string;
  digests: string[];
}
type Store = Record<string, Note>;

/** 128 random bits; also where `crypto.subtle` and `randomUUID` are not to be had, on pages without TLS. */
export const newShare = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

const isNote = (value: unknown): value is Note =>
  isTable(value) && isTexts(value.digests) && (value.share === undefined || isText(value.share));

const load = (): Store => tableOf(kept(KEY), isNote);

export const noteOf = (match: string): Note => ({ digests: [], ...load()[placeOf(match)] });

function write(match: string, note: Note): void {
  const place = placeOf(match);
  const { [place]: _, ...others } = load();
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries([...Object.entries(others), [place, note]].slice(-MOST))),
    );
  } catch {
    /* without storage nothing can be noted */
  }
}

export const noteShare = (match: string, share: string): void => write(match, { ...noteOf(match), share });

/** What was noted of a match elsewhere, which turns out to be this one. */
export function carryNotes(from: string, match: string): void {
  const earlier = load()[from];
  if (!earlier) return;
  const note = noteOf(match);
  write(match, { ...earlier, ...note, digests: [...new Set([...earlier.digests, ...note.digests])] });
  const { [from]: _, ...others } = load();
  localStorage.setItem(KEY, JSON.stringify(others));
}

/** How many people have a share in the dice, or are awaited. */
export const peopleOf = (dice: DiceInfo): number =>
  new Set(dice.sources.at(-1)?.shares.map(({ share }) => share)).size + dice.awaits.length;

/** Digests that were shown and are gone. */
export const broken = (match: string, dice: DiceInfo): string[] =>
  noteOf(match).digests.filter((digest) => !dice.sources.some((source) => source.digest === digest));

/** Keep the digest of dice between people until the seed is public and the promise kept. */
export function noteDice(match: string, dice: DiceInfo, over: boolean): void {
  const note = noteOf(match);
  if (over && note.digests.length && !broken(match, dice).length) write(match, { ...note, digests: [] });
  else if (!over && dice.digest && peopleOf(dice) > 1) noteDigest(match, dice.digest);
}

export function noteDigest(match: string, digest: string): void {
  const note = noteOf(match);
  if (!note.digests.includes(digest)) write(match, { ...note, digests: [...note.digests, digest] });
}

/** The share that goes out with a request; the same if the request is sent again, even by the page loaded again. */
export function shareFor(request: string): string {
  const name = `rasputitsa.share.${request}`;
  try {
    const share = sessionStorage.getItem(name) ?? newShare();
    sessionStorage.setItem(name, share);
    return share;
  } catch {
    return newShare();
  }
}
