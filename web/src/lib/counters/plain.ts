/** Below this scale of the map figures on counters are too small to be read. */
export const PLAIN_BELOW = 0.34;

const OVAL = "M-20 0A20 12 0 1 1 20 0A20 12 0 1 1 -20 0Z";
const CROSS = "M-24 -18L24 18M-24 18L24 -18";

/** What a kind of unit looks like in a few strokes, by the start of its function code in MIL-STD-2525C. */
const SHAPES: readonly { code: string; strokes: string }[] = [
  { code: "UCIZ", strokes: OVAL + CROSS },
  { code: "UCA", strokes: OVAL },
  { code: "UCI", strokes: CROSS },
  { code: "UCR", strokes: "M-24 18L24 -18" },
  { code: "UCV", strokes: "M-22 -11L22 11V-11L-22 11Z" },
  { code: "U-", strokes: "" },
  { code: "US", strokes: "M-22 12H22" },
];

/** The strokes of a symbol code such as ``SFGPUCA---J---``, in a box of 60 around 0,0. */
export const plainShape = (sidc: string): string =>
  SHAPES.find(({ code }) => sidc.startsWith(code, 4))?.strokes ?? CROSS;
