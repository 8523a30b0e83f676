import { describe, expect, test } from "vitest";
import { type Change, changed, ViewCache } from "../src/lib/net/viewCache.ts";
import type { View } from "../src/lib/net/types.ts";

const view = (members: object): View => members as unknown as View;
const change = (members: object): Change => ({ base: "a", put: {}, drop: [], rows: {}, ...members });
const units = [
  { id: "x", hex: "A1" },
  { id: "y", hex: "A2" },
  { id: "z", hex: "A3" },
];

describe("a change of a view", () => {
  test("sets members, removes members, and touches rows by their ids, in place or at the end", () => {
    const now = changed(
      view({ tag: "a", units, score: 1, goal: null }),
      change({
        put: { tag: "b", outcome: null },
        drop: ["goal"],
        rows: {
          units: {
            put: [
              { id: "z", hex: "B1" },
              { id: "w", hex: "B2" },
            ],
            drop: ["x"],
          },
        },
      }),
    );
    expect(now).toEqual({
      tag: "b",
      score: 1,
      outcome: null,
      units: [
        { id: "y", hex: "A2" },
        { id: "z", hex: "B1" },
        { id: "w", hex: "B2" },
      ],
    });
  });

  test("leaves the view it starts from alone", () => {
    const before = view({ tag: "a", units });
    changed(before, change({ rows: { units: { put: [], drop: ["x"] } } }));
    expect(before).toEqual({ tag: "a", units });
  });
});

describe("the views at hand", () => {
  test("a change is read from the view it names, the newest or an older one", () => {
    const shown = new ViewCache();
    shown.keep(view({ tag: "a", score: 1 }));
    expect(shown.change(change({ put: { tag: "b", score: 2 } }))).toEqual({ tag: "b", score: 2 });
    expect(shown.tag).toBe("b");
    expect(shown.change(change({ put: { tag: "c", score: 3 } }))).toEqual({ tag: "c", score: 3 });
  });

  test("a change of a view that is not at hand cannot be read", () => {
    const shown = new ViewCache();
    expect(shown.change(change({}))).toBeNull();
    for (let n = 0; n < 20; n += 1) shown.keep(view({ tag: `t${n}` }));
    expect(shown.change(change({ base: "t3" }))).toBeNull();
    expect(shown.tag).toBe("t19");
  });

  test("a past position has no tag and is not kept", () => {
    const shown = new ViewCache();
    shown.keep(view({ at: 3 }));
    expect(shown.tag).toBe("");
  });
});
