import type { Attack, Decision, DecisionOption } from "../../net/types.ts";

/** The legal options of a decision, sorted by what a player can point at. */
interface OptionIndex {
  byHex: ReadonlyMap<string, DecisionOption[]>;
  byUnit: ReadonlyMap<string, DecisionOption[]>;
  /** Choices that destroy or give up something about a unit: never a plain click, always asked twice. */
  destructive: ReadonlyMap<string, DecisionOption[]>;
  plain: DecisionOption[];
  verbs: { verb: string; options: DecisionOption[] }[];
  hexVerb: string | null;
  unitVerb: string | null;
}

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

const mostOf = (counts: Map<string, number>): string | null =>
  [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)[0] ?? null;

export function indexOptions(
  decision: Decision | null,
  attacks: readonly Attack[] = [],
  destructiveVerbs: readonly string[] = [],
): OptionIndex {
  const byHex = new Map<string, DecisionOption[]>();
  const byUnit = new Map<string, DecisionOption[]>();
  const destructive = new Map<string, DecisionOption[]>();
  const byVerb = new Map<string, DecisionOption[]>();
  const plain: DecisionOption[] = [];
  const hexVerbs = new Map<string, number>();
  const unitVerbs = new Map<string, number>();
  for (const option of decision?.mine ? decision.options : []) {
    push(byVerb, option.verb, option);
    const units = option.units ?? [];
    if (option.hex) {
      push(byHex, option.hex, option);
      hexVerbs.set(option.verb, (hexVerbs.get(option.verb) ?? 0) + 1);
    }
    if (destructiveVerbs.includes(option.verb)) {
      for (const unit of units) push(destructive, unit, option);
    } else if (units.length && !option.hex) {
      for (const unit of units) push(byUnit, unit, option);
      unitVerbs.set(option.verb, (unitVerbs.get(option.verb) ?? 0) + 1);
    }
    if (!option.hex && !units.length) plain.push(option);
    if (option.attack !== undefined) {
      // chosen by pointing at the hexes of the attack, too
      for (const hex of attacks.find((a) => a.n === option.attack)?.targets ?? []) push(byHex, hex, option);
    }
  }
  return {
    byHex,
    byUnit,
    destructive,
    plain,
    verbs: [...byVerb].map(([verb, options]) => ({ verb, options })),
    hexVerb: mostOf(hexVerbs),
    unitVerb: mostOf(unitVerbs),
  };
}

/** The option the big button and the space bar stand for: the first of the verbs that is offered just once, or in turn.
    An answer that gives something up, as the engine tells, is never it. */
export function primaryOption(
  index: OptionIndex,
  order: readonly string[],
  inTurn: readonly string[] = [],
): DecisionOption | null {
  for (const verb of order) {
    const found = index.plain.filter((o) => o.verb === verb);
    if ((found.length === 1 || inTurn.includes(verb)) && found[0] && !found[0].gives_up) return found[0];
  }
  const only = index.plain.length === 1 && index.verbs.length === 1 ? index.plain[0] : undefined;
  return only && !only.gives_up ? only : null;
}

/** The option that ends a sub-step without a loss, if one of the verbs does. */
export const leaving = (index: OptionIndex, verbs: readonly string[]): DecisionOption | undefined =>
  index.plain.find((o) => verbs.includes(o.verb) && !o.gives_up);

/** Whether an option is about a place outside the part of the map that is in play, where little comes of it. */
export const isOutside = (option: DecisionOption, hexes: ReadonlyMap<string, { in_play?: boolean }>): boolean =>
  hexes.get(option.hex ?? "")?.in_play === false;

/** Options about places outside the part in play come last. */
export const inPlayFirst = (
  options: readonly DecisionOption[],
  hexes: ReadonlyMap<string, { in_play?: boolean }>,
): DecisionOption[] => options.toSorted((a, b) => Number(isOutside(a, hexes)) - Number(isOutside(b, hexes)));

/** More choices than these are not marked on the overview: they would only paint it over. */
const FEW = 40;

/** The hexes in play where something can be done, however far away, as the overview marks them. */
export function farAndWide(index: OptionIndex, hexes: ReadonlyMap<string, { in_play?: boolean }>): string[] {
  const places = [...index.byHex.keys()].filter((id) => hexes.has(id) && hexes.get(id)!.in_play !== false);
  return places.length <= FEW ? places : [];
}

/** Units that can still act by an option of their own, in the order listed. */
export const actingUnits = (index: OptionIndex): string[] => [...index.byUnit.keys()];
