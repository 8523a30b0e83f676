import { call, LETTER } from "./api.ts";
import type { DamagedLetters, LetterMatch, LetterRead, LetterTerms } from "./types.ts";

interface NewLetters {
  game: string;
  scenario: string;
  options: Record<string, string>;
  seat: string;
  each_seat: boolean;
  trusting: boolean;
  title: string;
  name: string;
}

/** Whether a match is played by letters, and not at the server's table. */
export const byLetters = (match: string): boolean => match.startsWith(LETTER);
/** By its code, the number under which the map shows a match. */
export const matchOfLetters = (code: string): string => `${LETTER}${code}`;
export const codeOf = (match: string): string => match.slice(LETTER.length);

/** The file of a match as it lies with the program, with the key that signs its letters. */
export const fileOf = (code: string): string => `/api/letters/${code}/file`;

/** A reading may play through the orders of others, which take their time. */
export const letters = {
  list: () => call<(LetterMatch | DamagedLetters)[]>("GET", "/letters"),
  begin: (body: NewLetters) => call<LetterMatch>("POST", "/letters", body),
  look: (text: string) => call<LetterTerms>("POST", "/letters/look", { text }),
  join: (text: string, name: string, trusting: boolean) =>
    call<LetterMatch>("POST", "/letters/join", { text, name, trusting }),
  standing: (code: string) => call<LetterMatch>("GET", `/letters/${encodeURIComponent(code)}`),
  letter: (code: string, number: number) => call<{ text: string }>("GET", `/letters/${code}/letters/${number}`),
  read: (code: string, text: string) => call<LetterRead>("POST", `/letters/${code}/read`, { text }),
  write: (code: string, note: string, resign: boolean) =>
    call<LetterMatch>("POST", `/letters/${code}/write`, { note, resign }),
  remove: (code: string) => call<unknown>("DELETE", `/letters/${code}`),
  save: (code: string) => call<{ text: string }>("GET", `/letters/${code}/export`),
};
