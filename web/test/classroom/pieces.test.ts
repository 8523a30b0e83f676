import { expect, it } from "vitest";
import { staticGame } from "../../mock/fixture.ts";
import { frameOf, stacksIn } from "../../src/lib/classroom/pieces.ts";
import { MapModel } from "../../src/lib/map/model.ts";
import type { View } from "../../src/lib/net/types.ts";

const map = new MapModel(staticGame());
const [one, two, three] = map.hexes.filter((h) => !h.water).map((h) => h.id);
const sides = ["axis", "soviet"];
const standing = (...hexes: [string | undefined, string][]): View =>
  ({ units: hexes.map(([hex, side], n) => ({ id: `x${n}`, hex, side })) }) as unknown as View;
const then = standing([one, "axis"], [one, "axis"], [two, "soviet"]);
const now = standing([three, "axis"], [undefined, "axis"], [two, "soviet"]);

it("counts the pieces of a side in one hex", () => {
  expect(stacksIn(map, then, sides).map(({ first, pieces }) => [first, pieces])).toEqual([
    [true, 2],
    [false, 1],
  ]);
  expect(stacksIn(map, now, sides)).toHaveLength(2);
});

it("shows the same part of the map then and now", () => {
  const frame = frameOf(map, [then, now], sides);
  expect(frameOf(map, [now, then], sides)).toEqual(frame);
  for (const hex of [one, two, three]) {
    const { x, y } = map.byId.get(hex!)!.centre;
    expect(x > frame.x && x < frame.x + frame.width && y > frame.y && y < frame.y + frame.height).toBe(true);
  }
});
