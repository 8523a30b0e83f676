import { api } from "../net/api.ts";
import type { Term } from "../net/types.ts";
import { Forms } from "./find.ts";

interface TermPiece {
  text: string;
  term: Term | null;
}

/** The terms of one game; asked for once, and empty until they are there. */
class Glossary {
  terms = $state.raw<Term[]>([]);
  private readonly byForm = $derived(
    new Map(this.terms.flatMap((t) => [t.name, ...t.also].map((f) => [f, t] as const))),
  );
  private readonly forms = $derived(new Forms(this.byForm.keys()));

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
    for (const hit of this.forms.in(text)) {
      const term = this.byForm.get(hit.form);
      if (!term || met.has(term)) continue;
      met.add(term);
      if (hit.from > from) pieces.push({ text: text.slice(from, hit.from), term: null });
      pieces.push({ text: text.slice(hit.from, hit.to), term });
      from = hit.to;
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
