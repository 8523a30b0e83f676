import { api } from "../../../lib/net/api.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { tally } from "./score.ts";

/** The score with which a match began, by its number. */
const scores = $state<Record<string, number | null>>({});
const asked = new Set<string>();

/** Soviet less Axis victory points when the match began, asked for once; null until they are known. */
export function startScore({ match }: Table): number | null {
  if (!asked.has(match.id)) {
    asked.add(match.id);
    void api
      .view(match.id, match.seat, match.key, 0)
      .then((view) => (scores[match.id] = tally(view).total))
      .catch(() => asked.delete(match.id));
  }
  return scores[match.id] ?? null;
}
