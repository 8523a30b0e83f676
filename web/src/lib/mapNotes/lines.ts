const WIDE = 22;

/** A text in lines of about the same length, as it stands next to a mark on the map. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  const letters = [...text];
  while (letters.length) {
    const space = letters.lastIndexOf(" ", WIDE);
    const cut = letters.length <= WIDE ? letters.length : space > 0 ? space : WIDE;
    lines.push(letters.splice(0, cut).join(""));
    if (letters[0] === " ") letters.shift();
  }
  return lines;
}
