import ms from "milsymbol";

export interface Symbol {
  id: string;
  box: string;
  inner: string;
  width: number;
  height: number;
}

const cache = new Map<string, Symbol>();

/** The NATO symbol of a code as reusable SVG, its frame left clear so that the counter's colour shows. */
export function symbolOf(sidc: string): Symbol {
  const known = cache.get(sidc);
  if (known) return known;
  const svg = new ms.Symbol(sidc, {
    size: 40,
    strokeWidth: 6,
    fillColor: "rgba(255,255,255,.62)",
    frame: true,
  }).asSVG();
  const box = /viewBox="([^"]+)"/.exec(svg)?.[1] ?? "0 0 200 200";
  const [, , width = 200, height = 200] = box.split(" ").map(Number);
  const inner = svg.replace(/^<svg[^>]*>/, "").replace(/<\/svg>\s*$/, "");
  const symbol = { id: `sym-${sidc.replace(/[^A-Za-z0-9]/g, "_")}`, box, inner, width, height };
  cache.set(sidc, symbol);
  return symbol;
}
