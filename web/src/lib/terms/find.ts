/** A word or phrase that stands for something, where it stands in a text. */
interface Hit {
  from: number;
  to: number;
  form: string;
}

const words = new Intl.Segmenter("en", { granularity: "word" });
const APOSTROPHES = new Set(["'", "\u2019"]);

/** The places within words of a text, where no phrase can begin or end; "group's" may end after "group". */
function within(text: string): Set<number> {
  const inside = new Set<number>();
  for (const { segment, index, isWordLike } of words.segment(text))
    if (isWordLike)
      for (let n = 1; n < segment.length; n += 1) if (!APOSTROPHES.has(segment.charAt(n))) inside.add(index + n);
  return inside;
}

/** The form with its first letter large, as at the beginning of a sentence. */
const capital = (form: string): string => form.charAt(0).toUpperCase() + form.slice(1);

/** Phrases by the first letters they may begin with, the longest first. */
export class Forms {
  private readonly byLetter = new Map<string, { text: string; form: string }[]>();

  /** Forms of one letter mean too much else to be looked for in a text. */
  constructor(forms: Iterable<string>) {
    for (const form of [...forms].filter((f) => f.length > 1).sort((a, b) => b.length - a.length))
      for (const text of new Set([form, capital(form)])) {
        const known = this.byLetter.get(text.charAt(0)) ?? [];
        known.push({ text, form });
        this.byLetter.set(text.charAt(0), known);
      }
  }

  /** Where phrases stand in a text, one after the other; of several that begin at one place the longest. */
  in(text: string): Hit[] {
    if (!this.byLetter.size) return [];
    const inside = within(text);
    const hits: Hit[] = [];
    for (let at = 0; at < text.length; at += 1) {
      if (inside.has(at)) continue;
      const found = this.byLetter
        .get(text.charAt(at))
        ?.find((f) => text.startsWith(f.text, at) && !inside.has(at + f.text.length));
      if (!found) continue;
      hits.push({ from: at, to: at + found.text.length, form: found.form });
      at += found.text.length - 1;
    }
    return hits;
  }
}
