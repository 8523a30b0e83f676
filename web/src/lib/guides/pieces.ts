export interface GuidePiece {
  kind: "text" | "strong" | "code" | "rule";
  text: string;
}

/** Divides a point of a guide: **stress**, `orders`, and paragraphs of the rules, which stand in parentheses. */
export function guidePieces(text: string): GuidePiece[] {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`|(?<=\()(?:[IVX]+|\d+)\.[A-Za-z0-9.]+(?=\)))/)
    .filter(Boolean)
    .map((t, i, all) =>
      t.startsWith("**")
        ? { kind: "strong", text: t.slice(2, -2) }
        : t.startsWith("`")
          ? { kind: "code", text: t.slice(1, -1) }
          : all[i - 1]?.endsWith("(") && all[i + 1]?.startsWith(")")
            ? { kind: "rule", text: t }
            : { kind: "text", text: t },
    );
}
