import type { Paragraph } from "../net/types.ts";

const parts = (id: string): string[] => id.split(/[.\s()]+/).filter(Boolean);

/** The paragraph of that number; failing it, the nearest one above it; with it, those directly below. */
export function findParagraphs(all: readonly Paragraph[], rule: string): Paragraph[] {
  const wanted = rule.split(/[,;]\s*/).filter(Boolean);
  const found = wanted.flatMap((w) => {
    const want = parts(w);
    for (let n = want.length; n > 0; n -= 1) {
      const head = want.slice(0, n).join(".");
      const exact = all.filter((p) => parts(p.id).join(".") === head);
      if (exact.length) return n === want.length ? [...exact, ...all.filter((p) => isUnder(p.id, want))] : exact;
    }
    return [];
  });
  return [...new Map(found.map((p) => [p.id, p])).values()];
}

function isUnder(id: string, want: string[]): boolean {
  const own = parts(id);
  return own.length > want.length && own.length <= want.length + 2 && want.every((w, i) => own[i] === w);
}
