import { expect, test } from "vitest";
import { shutOut } from "../../src/lib/seats/rematch.ts";

const rematch = (door: "offered" | "taken" | "closed", ...asked: string[]) => ({ match: "2", door, asked });

test("a player who asks for a rematch learns whom it is closed to because of a block", () => {
  expect(shutOut({ blocked: [], rematch: null })).toEqual([]);
  expect(shutOut({ blocked: ["blue"], rematch: null })).toEqual(["blue"]);
  expect(shutOut({ blocked: ["blue", "green"], rematch: rematch("taken", "red", "green") })).toEqual(["blue"]);
  expect(shutOut({ blocked: ["blue"], rematch: rematch("closed", "blue") })).toEqual([]);
});
