import { describe, expect, it } from "vitest";
import { staticGame } from "../mock/fixture.ts";
import { spread } from "../src/lib/counters/spread.ts";
import { MapModel } from "../src/lib/map/model.ts";

const map = new MapModel(staticGame());

describe("the map of the Portfolio", () => {
  it("has all hexes, each found under its own centre", () => {
    expect(map.hexes).toHaveLength(1120);
    for (const hex of map.hexes) expect(map.at(hex.centre)?.id).toBe(hex.id);
  });

  it("knows neighbours by direction, as the rules name them", () => {
    expect(map.direction("K26", "K27")).toBe(0);
    // VIII.A.1 and XVI.D speak of the sides B16/C16, B16/C17 and JJ13/II14
    expect(map.direction("B16", "C17")).toBe(1);
    expect(map.direction("B16", "C16")).toBe(2);
    expect(map.direction("JJ13", "II14")).toBe(5);
    expect(map.step(map.byId.get("A1")!, 3)).toBeNull();
  });

  it("finds nothing off the map", () => {
    expect(map.at({ x: -300, y: 50 })).toBeNull();
  });

  it("outlines one hex with six corners and two neighbours with ten", () => {
    expect(map.outline(["N6"]).match(/[ML]/g)).toHaveLength(1 + 5);
    expect(map.outline(["N6", "N7"]).split("L")).toHaveLength(10);
  });

  it("closes the outline of every country and terrain", () => {
    for (const kind of ["clear", "swamp", "hills", "mountain", "sea", "lake"]) {
      const d = map.outline(
        map.hexes.filter((h) => h.terrain === kind).map((h) => h.id),
        true,
      );
      expect(
        d
          .split("M")
          .slice(1)
          .every((loop) => loop.endsWith("Z")),
      ).toBe(true);
    }
  });

  it("names a hex by its place or the nearest one", () => {
    expect(map.describe("N6")).toBe("N6 Kaunas");
    expect(map.describe("N5")).toContain("near");
  });

  it("tells what lies between two hexes from either side", () => {
    const river = map.sides.find((s) => s.kind === "river")!;
    expect(map.between(river.b, river.a)).toContain(river);
  });
});

describe("stacks", () => {
  it("steps at rest, stands side by side when fanned", () => {
    expect(spread(0, 1, false)).toEqual({ x: 0, y: -10 });
    const [a, b] = [spread(0, 2, true), spread(1, 2, true)];
    expect(b.x - a.x).toBeGreaterThan(78);
    expect(b.y).toBe(a.y);
  });
});
