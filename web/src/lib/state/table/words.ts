import type { DecisionOption } from "../../net/types.ts";
import { plainText } from "../marks.ts";
import type { Table } from "./table.svelte.ts";

/** The engine's reasons are half sentences; alone they begin with a capital. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What ends a phase is called after the phase. */
export function endLabel(table: Table, option: DecisionOption): string {
  const { game, match } = table;
  const kind = match.view?.decision?.kind ?? "";
  const inTurn = game.inTurn?.[option.verb];
  if (inTurn && match.index.plain.filter((other) => other.verb === option.verb).length > 1) return inTurn;
  return game.doneNames[option.verb === game.verbs.ends ? kind : `${kind}:${option.verb}`] ?? table.label(option);
}

/** An option in words, with names instead of bare ids. */
export function optionLabel(table: Table, option: DecisionOption): string {
  const { game, map, match } = table;
  if (game.label) return sentence(game.label(option));
  const kind = match.view?.decision?.kind ?? "";
  const named = game.doneNames[option.verb === game.verbs.ends ? kind : `${kind}:${option.verb}`];
  if (named) return named;
  const line = plainText(option.marked || option.label || option.action, table.unitName, (hex) => map.describe(hex));
  const attack = match.view?.attacks?.find((a) => a.n === option.attack);
  const about = attack ? ` on ${attack.targets.map((t) => map.describe(t)).join(" and ")}` : "";
  return sentence(line) + about;
}

/** A hex in one spoken line. */
export function hexInWords(table: Table, id: string): string {
  const hex = table.map.byId.get(id);
  if (!hex) return id;
  const units = (table.stacks.get(id) ?? []).map((u) => {
    const s = table.unit(u.id);
    return s ? table.game.tell(s, u, table.map.source) : u.id;
  });
  const option = table.match.index.byHex.get(id)?.[0];
  return [id, hex.place?.name, sentence(hex.terrain), units.join("; "), option ? optionLabel(table, option) : ""]
    .filter(Boolean)
    .join(", ");
}
