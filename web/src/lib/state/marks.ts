/** `end`: punctuation that follows a mark, from which no line may part it. */
export type Piece = { kind: "text"; text: string } | { kind: "unit" | "hex" | "rule"; id: string; end: string };

/** Splits "{unit:39Pz} enters {hex:N6}" into words and marks; stray braces stay words. */
export function splitMarks(text: string): Piece[] {
  const pieces: Piece[] = [];
  const pattern = /\{(unit|hex|rule):([^{}]+)\}([.,;:!?)]*)/g;
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) pieces.push({ kind: "text", text: text.slice(from, match.index) });
    pieces.push({ kind: match[1] as "unit" | "hex" | "rule", id: match[2] ?? "", end: match[3] ?? "" });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}

/** Whether words have just named a place. */
export const endsWithName = (words: string, name: string): boolean => words.trimEnd().endsWith(name);

const asIs = (id: string): string => id;

/** The same as bare words, for screen readers and titles. A hex is named with the words before it at hand. */
export const plainText = (
  text: string,
  unitName: (id: string) => string = asIs,
  hexName: (id: string, before: string) => string = asIs,
): string =>
  splitMarks(text).reduce((said, p) => {
    if (p.kind === "text") return said + p.text;
    const name = p.kind === "unit" ? unitName(p.id) : p.kind === "hex" ? hexName(p.id, said) : p.id;
    return said + name + p.end;
  }, "");
