const PLAIN = /^[a-z_]+$/;

/** A style that marks every button that stands for a verb, wherever on the page it is. */
export const markingRule = (verb: string): string =>
  PLAIN.test(verb)
    ? `button:is([data-action="${verb}"], [data-action^="${verb} "], [data-way="${verb}"]) { ` +
      "outline: 3px dashed var(--focus); outline-offset: -4px; box-shadow: 0 0 0 4px var(--accent); }"
    : "";
