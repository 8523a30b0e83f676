const PLAIN = /^[a-z_]+$/;

const selectors = (verb: string): string => `[data-action="${verb}"], [data-action^="${verb} "], [data-way="${verb}"]`;

/** A style that marks every button that stands for one of some verbs, wherever on the page it is. */
export function markingRule(verbs: string): string {
  const plain = verbs.split(" ").filter((verb) => PLAIN.test(verb));
  return plain.length
    ? `button:is(${plain.map(selectors).join(", ")}) { ` +
        "outline: 3px dashed var(--focus); outline-offset: -4px; box-shadow: 0 0 0 4px var(--accent); }"
    : "";
}
