import { api } from "../net/api.ts";
import type { Term } from "../net/types.ts";

export interface TermPiece {
  text: string;
  term: Term | null;
}

const escaped = (form: string): string => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The terms of one game; asked for once, and empty until they are there. */
export class Glossary {
  terms = $state.raw<Term[]>([]);
  private readonly byForm = $derived(
    new Map(this.terms.flatMap((t) => [t.name, ...t.also].map((f) => [f, t] as const))),
  );
  /** Forms of one letter mean too much else to be looked for in a text; a form in small letters may begin a sentence. */
  private readonly pattern = $derived.by(() => {
    const forms = [...this.byForm.keys()].filter((f) => f.length > 1).sort((a, b) => b.length - a.length);
    const either = forms.map((f) => {
      const first = f.charAt(0);
      return first === first.toUpperCase() ? escaped(f) : `[${first}${first.toUpperCase()}]${escaped(f.slice(1))}`;
    });
    return forms.length ? new RegExp(`(?<![\\p{L}\\d])(?:${either.join("|")})(?![\\p{L}\\d])`, "gu") : null;
  });

  constructor(readonly game: string) {
    void api
      .glossary(game)
      .then(({ terms }) => (this.terms = terms))
      .catch(() => undefined);
  }

  named(name: string): Term | null {
    return this.byForm.get(name) ?? this.byForm.get(name.charAt(0).toLowerCase() + name.slice(1)) ?? null;
  }

  /** Divides a text so that the first mention of each term stands by itself. */
  piecesOf(text: string): TermPiece[] {
    const pieces: TermPiece[] = [];
    const met = new Set<Term>();
    let from = 0;
    for (const hit of this.pattern ? text.matchAll(this.pattern) : []) {
      const term = this.named(hit[0]);
      if (!term || met.has(term)) continue;
      met.add(term);
      if (hit.index > from) pieces.push({ text: text.slice(from, hit.index), term: null });
      pieces.push({ text: hit[0], term });
      from = hit.index + hit[0].length;
    }
    if (from < text.length) pieces.push({ text: text.slice(from), term: null });
    return pieces;
  }
}

const known = new Map<string, Glossary>();

/** The glossary of a game, the same for all who ask; to be kept in a derived of its own, so that its terms are followed. */
export function glossaryOf(game: string): Glossary {
  let found = known.get(game);
  if (!found) known.set(game, (found = new Glossary(game)));
  return found;
}
