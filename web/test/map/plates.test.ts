import { describe, expect, it } from "vitest";
import { staticGame } from "../../mock/fixture.ts";
import { MapModel } from "../../src/lib/map/model.ts";
import { isNamed } from "../../src/lib/map/places.ts";
import { type Box, covers, layNames } from "../../src/lib/map/plates.ts";

const map = new MapModel(staticGame());
const LAID = { wanted: 1, size: 1.08, figures: false };
const SCALES = [0.2, 0.3, 0.45, 0.7, 1, 1.6];
const widthOf = (name: string, font: string): number => name.length * 0.52 * Number(/([\d.]+)px/.exec(font)![1]);
const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Every third hex about the towns with one to three counters. */
function crowd(): Map<string, unknown[]> {
  const stacks = new Map<string, unknown[]>();
  let n = 0;
  for (const { hex } of map.places)
    for (const near of [hex, ...[0, 1, 2, 3, 4, 5].map((d) => map.step(map.byId.get(hex)!, d)?.id ?? hex)])
      if ((n += 1) % 3 === 0) stacks.set(near, Array.from({ length: 1 + (n % 4) }));
  return stacks;
}

describe("names of places", () => {
  it.each(SCALES)("are under no counter and over no other name at scale %d", (scale) => {
    for (const wanted of [0.7, 1, 1.5]) {
      const counters = covers(crowd(), { ...LAID, wanted });
      const plates = [...layNames(map, counters, scale, widthOf).values()];
      expect(plates.length).toBeGreaterThan(scale < 0.3 ? 5 : 20);
      const boxes = [...counters].map(([hex, b]) => {
        const { x, y } = map.byId.get(hex)!.centre;
        return { left: b.left + x, right: b.right + x, top: b.top + y, bottom: b.bottom + y };
      });
      for (const [i, plate] of plates.entries()) {
        expect(boxes.filter((b) => meet(b, plate))).toEqual([]);
        expect(plates.slice(i + 1).filter((b) => meet(b, plate))).toEqual([]);
      }
    }
  });

  it("are all there, below their hexes, where the map is empty", () => {
    const plates = layNames(map, new Map(), 1, widthOf);
    const named = map.places.filter((p) => map.byId.has(p.hex) && isNamed(p, 1));
    expect(plates.size).toBe(named.length);
    for (const p of named) expect(plates.get(p.hex)!.at.y - map.byId.get(p.hex)!.centre.y).toBeCloseTo(39);
  });
});
