/** Lengths in conditions on the window, such as ``(max-width: 47.5em)``. */
const LENGTH = /([\d.]+)em/g;
/** The conditions as they were written, which are for letters of the usual size. */
const written = new WeakMap<CSSMediaRule, string>();

/** A condition for letters of the usual size, for letters of another one, in hundredths. */
export const scaled = (condition: string, size: number): string =>
  condition.replace(LENGTH, (_, em: string) => `${(Number(em) * size) / 100}em`);

/** Conditions on the window count in letters of the browser; with letters of another size they have to follow. */
export function followLetters(size: number): void {
  for (const sheet of document.styleSheets) follow(sheet.cssRules, size);
}

function follow(rules: CSSRuleList, size: number): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const condition = written.get(rule) ?? rule.media.mediaText;
      written.set(rule, condition);
      const wanted = scaled(condition, size);
      if (rule.media.mediaText !== wanted) rule.media.mediaText = wanted;
    }
    if (rule instanceof CSSGroupingRule) follow(rule.cssRules, size);
  }
}
