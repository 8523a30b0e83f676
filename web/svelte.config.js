import MagicString from "magic-string";
import { parse } from "svelte/compiler";

/**
 * Text of the page stands in one line, wherever the formatter breaks it in the source.
 *
 * Browsers show a line break as a space, but scripts, tests and `textContent` read it as it is.
 */
const oneLine = {
  name: "one-line-text",
  markup({ content, filename }) {
    const code = new MagicString(content, { filename });
    const visit = (node) => {
      if (Array.isArray(node)) return node.forEach(visit);
      if (!node || typeof node !== "object") return;
      if (node.type === "Fragment") for (const child of node.nodes) if (child.type === "Text") collapse(child);
      for (const [name, value] of Object.entries(node)) if (name !== "attributes") visit(value);
    };
    const collapse = ({ start, end }) => {
      const text = content.slice(start, end);
      if (/\n/.test(text)) code.overwrite(start, end, text.replace(/\s*\n\s*/g, " "));
    };
    visit(parse(content, { modern: true, filename }).fragment);
    return { code: code.toString(), map: code.generateMap({ hires: true }) };
  },
};

export default { preprocess: [oneLine] };
