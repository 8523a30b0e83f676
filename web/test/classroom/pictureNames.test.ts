import { expect, it } from "vitest";
import { staticGame } from "../../mock/fixture.ts";
import { namesIn } from "../../src/lib/classroom/pictureNames.ts";
import { MapModel } from "../../src/lib/map/model.ts";

const map = new MapModel(staticGame());
const widthOf = (name: string, font: string): number => name.length * 0.52 * Number(/([\d.]+)px/.exec(font)![1]);

it("names places within the picture, under no piece, in letters that can be read on paper", () => {
  const middle = map.byId.get(map.places[0]!.hex)!.centre;
  const area = { x: middle.x - 700, y: middle.y - 700, width: 1400, height: 1400 };
  const pieces = map.places.filter((_, i) => i % 2 === 0).map((place) => ({ at: map.byId.get(place.hex)!.centre }));
  const names = namesIn(map, area, pieces, widthOf);
  expect(names.length).toBeGreaterThan(2);
  for (const plate of names) {
    expect(map.places.map((place) => place.name)).toContain(plate.name);
    expect((Number(/([\d.]+)px/.exec(plate.font)![1]) * 420) / area.width).toBeGreaterThan(7.5);
    expect(plate.left).toBeGreaterThanOrEqual(area.x);
    expect(plate.right).toBeLessThanOrEqual(area.x + area.width);
    for (const { at } of pieces)
      expect(Math.abs(plate.at.x - at.x) < 32 && Math.abs(plate.at.y - at.y) < 32).toBe(false);
  }
});
