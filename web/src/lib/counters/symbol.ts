import ms from "milsymbol";
import type { StaticUnit } from "../net/types.ts";

export type UnitSymbol = NonNullable<StaticUnit["symbol"]>;
interface Symbol {
  id: string;
  box: string;
  inner: string;
  width: number;
  height: number;
}

/** Function codes of MIL-STD-2525C by the names of symbols. */
const FUNCTIONS: Readonly<Record<UnitSymbol, string>> = {
  armor: "UCA---",
  mechanized: "UCIZ--",
  motorized: "UCIM--",
  armored_cavalry: "UCRVA-",
  cavalry: "UCR---",
  infantry: "UCI---",
  mountain: "UCIO--",
  light: "UCIL--",
  shock: "UCI---",
  front: "UCI---",
  air: "UCVF--",
  depot: "USS---",
};
/** The code of a symbol by its name, as large as the letter for the size of a unit says. */
export const codeOf = (symbol: UnitSymbol | undefined, size: string): string =>
  `SFGP${symbol ? FUNCTIONS[symbol] : "U-----"}-${size}---`;

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
