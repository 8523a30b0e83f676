import { expect, test } from "vitest";
import { scaled } from "../../src/lib/state/breakpoints.ts";
import { roomFor } from "../../src/lib/state/textSize.ts";

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
  expect(at(150)).toEqual([150, 150, 150, 150, 150]);
  expect(at(120)).toEqual([120, 120, 120, 120, 120]);
  expect(at(90)).toEqual([90, 90, 90, 90, 90]);
  expect(at(200)).toEqual([200, 200, 200, 200, 200]);
  expect(roomFor(200, seen(640, 360))).toBe(200);
  expect(roomFor(200, seen(320, 568))).toBe(170);
  // text of 200 % in the browser is not doubled again where there is no room for it
  expect(roomFor(200, seen(360, 640, 32))).toBe(100);
  expect(roomFor(200, seen(1366, 768, 32))).toBe(200);
});

test("conditions on the window follow the letters", () => {
  expect(scaled("(width <= 47.5em) and (min-height: 32.01em)", 150)).toBe(
    "(width <= 71.25em) and (min-height: 48.015em)",
  );
  expect(scaled("(hover: none)", 150)).toBe("(hover: none)");
});
