import { describe, expect, it } from "vitest";
import { chainSegments, corner, pointKey, type Segment, sideOf, smoothPath, STEPS } from "../src/lib/map/geometry.ts";
import type { Hex } from "../src/lib/map/model.ts";
import { firstInPlay } from "../src/lib/map/shapes.ts";

describe("the place to look at", () => {
  const hexes = new Map([
    ["E1", { in_play: false }],
    ["K9", { in_play: true }],
  ] as unknown as [string, Hex][]);

  it("is the first in the part of the map in play", () => {
    expect(firstInPlay(["E1", "K9"], hexes)).toBe("K9");
  });

  it("is none where none is in play, such as the home of a depot far from the scenario", () => {
    expect(firstInPlay(["E1"], hexes)).toBeUndefined();
    expect(firstInPlay([], hexes)).toBeUndefined();
  });
});

describe("sides and corners", () => {
  it("shares the corners of a side with the hex across it", () => {
    for (let d = 0; d < 6; d += 1) {
      const here = { x: 150, y: 57.735 };
      const there = { x: here.x + STEPS[d]!.x, y: here.y + STEPS[d]!.y };
      const own = sideOf(here, d).map(pointKey).sort();
      expect(
        sideOf(there, d + 3)
          .map(pointKey)
          .sort(),
      ).toEqual(own);
    }
  });

  it("names a corner alike when coordinates were rounded", () => {
    const exact = corner({ x: 50, y: 57.73502691896258 }, 1);
    const rounded = corner({ x: 50, y: 57.74 }, 1);
    expect(pointKey(rounded)).toBe(pointKey(exact));
  });
});

describe("chains", () => {
  const square: Segment[] = [
    [
      { x: 0, y: 0 },
      { x: 50, y: 0 },
    ],
    [
      { x: 50, y: 60 },
      { x: 50, y: 0 },
    ],
    [
      { x: 50, y: 60 },
      { x: 0, y: 60 },
    ],
    [
      { x: 0, y: 60 },
      { x: 0, y: 0 },
    ],
  ];

  it("closes a loop whatever the direction of its pieces", () => {
    const [chain, ...rest] = chainSegments(square);
    expect(rest).toEqual([]);
    expect(chain?.closed).toBe(true);
    expect(chain?.points).toHaveLength(4);
    expect(smoothPath(chain!)).toMatch(/^M.*Z$/);
  });

  it("ends an arm where three meet", () => {
    const fork: Segment[] = [
      [
        { x: 0, y: 0 },
        { x: 50, y: 0 },
      ],
      [
        { x: 50, y: 0 },
        { x: 100, y: 0 },
      ],
      [
        { x: 100, y: 0 },
        { x: 150, y: 60 },
      ],
      [
        { x: 100, y: 0 },
        { x: 150, y: -60 },
      ],
    ];
    const lengths = chainSegments(fork)
      .map((c) => c.points.length)
      .sort();
    expect(lengths).toEqual([2, 2, 3]);
  });
});
