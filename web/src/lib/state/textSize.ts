import { MediaQuery } from "svelte/reactivity";

/** Letters of the interface, in hundredths of the usual size. */
export const SIZES = [90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200] as const;
export const USUAL = 100;

/** How many letters a window must be wide and high: as many as the smallest phone has at the largest size. */
const LEAST = 11.25;

/** Conditions on the window whose changes are noticed, also when the browser gets other letters. */
const noticed = new Map<string, MediaQuery>();
export const noticing = (query: string): boolean => {
  let condition = noticed.get(query);
  if (!condition) noticed.set(query, (condition = new MediaQuery(query)));
  return condition.current;
};

/** The size that was chosen, as far as the window has room for it. */
export function roomFor(chosen: number, matches = noticing): number {
  const em = (least: number, size: number): string => `${(least * size) / 100}em`;
  const fits = (size: number): boolean =>
    size <= USUAL || (matches(`(min-width: ${em(LEAST, size)})`) && matches(`(min-height: ${em(LEAST, size)})`));
  return SIZES.findLast((size) => size <= chosen && fits(size)) ?? SIZES[0];
}
