/** Letters of the interface, in hundredths of the usual size. */
export const SIZES = [90, 100, 110, 120, 130, 140, 150] as const;
export const USUAL = 100;

/** How many letters a window must be wide for panels beside the map and for panels below it, and how many high. */
const BESIDE = 56;
const BELOW = 22;
const HIGH = 22;
const PHONE = "(max-width: 47.5em)";

/** The size that was chosen, as far as the window has room for it. */
export function roomFor(chosen: number, matches: (query: string) => boolean): number {
  const wide = matches(PHONE) ? BELOW : BESIDE;
  const em = (least: number, size: number): string => `${(least * size) / 100}em`;
  const fits = (size: number): boolean =>
    size <= USUAL || (matches(`(min-width: ${em(wide, size)})`) && matches(`(min-height: ${em(HIGH, size)})`));
  return SIZES.findLast((size) => size <= chosen && fits(size)) ?? SIZES[0];
}
