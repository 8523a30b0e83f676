import { describe, expect, it } from "vitest";
import { staticGame } from "../mock/fixture.ts";
import type { HexPair } from "../src/lib/api/schema";
import { withoutSpecks } from "../src/lib/map/front.ts";
import { MapModel } from "../src/lib/map/model.ts";

const map = new MapModel(staticGame());

/** The front of one side's land: every side of a hex beyond which the other side holds land. */
function frontOf(held: Set<string>): HexPair[] {
  return [...held].flatMap((id) =>
    map
      .neighbours(map.byId.get(id)!)
      .flatMap((n): HexPair[] => (n && !n.water && !held.has(n.id) ? [{ a: id, b: n.id }] : [])),
  );
}

describe("the front line", () => {
  const west = new Set(map.hexes.filter((h) => !h.water && h.x < 8 && h.id !== "C8").map((h) => h.id));
  const line = frontOf(west);

  it("leaves out empty hexes behind the line, on either side", () => {
    expect(line.length).toBeGreaterThan(20);
    const left = new Set([...west].filter((id) => id !== "R3"));
    left.add("V24");
    expect(frontOf(left)).toHaveLength(line.length + 12);
    expect(withoutSpecks(map, frontOf(left), left, new Set())).toEqual(line);
  });

  it("keeps the ring around a pocket", () => {
    const left = new Set([...west].filter((id) => id !== "R3"));
    expect(withoutSpecks(map, frontOf(left), left, new Set(["R3"]))).toHaveLength(line.length + 6);
  });
});
