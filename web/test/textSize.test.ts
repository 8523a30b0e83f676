import { expect, test } from "vitest";
import { roomFor } from "../src/lib/state/textSize.ts";

/** Answers as a window of a width and a height in pixels does, where the letters of the browser have a size. */
const seen =
  (wide: number, high: number, letter = 16) =>
  (query: string): boolean => {
    const em = Number.parseFloat(query.slice(query.indexOf(":") + 1)) * letter;
    if (query.includes("max-width")) return wide <= em;
    return (query.includes("height") ? high : wide) >= em;
  };

test("a size that was chosen is used where the window has room for it", () => {
  const at = (chosen: number): number[] => [360, 430, 820, 1280, 2560].map((wide) => roomFor(chosen, seen(wide, 900)));
  expect(at(150)).toEqual([100, 120, 100, 140, 150]);
  expect(at(120)).toEqual([100, 120, 100, 120, 120]);
  expect(at(90)).toEqual([90, 90, 90, 90, 90]);
  expect(roomFor(150, seen(640, 360))).toBe(100);
  expect(roomFor(150, seen(2560, 1440, 32))).toBe(140);
});
