interface Inline {
  kind: "text" | "strong" | "code" | "rule";
  text: string;
}

const MARKED = /(\*\*[^*]+\*\*|`[^`]+`|\{rule:[^{}]+\})/;

/** Divides a text by its marks: **stress**, `orders`, and {rule:XIII.C}. */
export const inline = (text: string): Inline[] =>
  text
    .split(MARKED)
    .filter(Boolean)
    .map((t): Inline =>
      t.startsWith("**")
        ? { kind: "strong", text: t.slice(2, -2) }
        : t.startsWith("`")
          ? { kind: "code", text: t.slice(1, -1) }
          : t.startsWith("{rule:")
            ? { kind: "rule", text: t.slice("{rule:".length, -1) }
            : { kind: "text", text: t },
    );
