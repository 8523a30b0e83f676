import { describe, expect, it } from "vitest";
import {
  changeOf,
  gainOf,
  heightOf,
  outline,
  pointAt,
  rangeOf,
  reading,
  standing,
  turnStarts,
  worstOf,
} from "../src/lib/analysis/chart.ts";
import { draw, shaft, spoken } from "../src/lib/analysis/plan.ts";
import type { Course, HintResult, Point, Step, TurningPoint } from "../src/lib/analysis/types.ts";
import { kept, nameOf, read, titleOf } from "../src/lib/opponents/names.ts";

const point = (ply: number, value: number, turn: string): Point => ({ ply, value, turn, phase: "", side: "axis" });
const points = [point(2, 0.5, "June"), point(40, 1, "June"), point(80, 0, "July")];

it("reads a plan out with one full stop after each sentence", () => {
  const hint = { headline: "Attack in 10 places", reasons: ["Replacements go to 18 groups."], label: "Group 10" };
  expect(spoken(hint as HintResult)).toBe("Attack in 10 places. Replacements go to 18 groups. Group 10.");
});

describe("what the course says", () => {
  const names = { first: "Axis", second: "Soviets" };

  it("is who stood better, and by how much", () => {
    expect(reading(0.58, names, false)).toBe("Axis 58 %");
  });

  it("has no chance in a lesson, whose line follows the goal", () => {
    expect(reading(0.58, names, true)).toBe("How far the goal was reached");
  });
});

describe("the turning points of a game", () => {
  const turn = (side: string, before: number, after: number): TurningPoint =>
    ({ side, before, after }) as unknown as TurningPoint;
  const [won, lost, theirs] = [turn("axis", 0.1, 0.6), turn("axis", 0.6, 0.4), turn("soviet", 0.4, 0.9)];
  const course = { sides: ["axis", "soviet"], turns: [won, theirs, lost] } as unknown as Course;

  it("counts what a side gained by its own outlook", () => {
    expect(gainOf(won, "axis")).toBeCloseTo(0.5);
    expect(gainOf(theirs, "axis")).toBeCloseTo(-0.5);
  });

  it("says what changed in points", () => {
    expect(changeOf(won, "axis", undefined)).toBe("+50");
    expect(changeOf(lost, "axis", undefined)).toBe("−20");
  });

  it("says in a lesson which way the goal went, without a figure", () => {
    expect(changeOf(won, "axis", "axis")).toBe("goal nearer");
    expect(changeOf(lost, "axis", "axis")).toBe("goal farther");
    expect(changeOf(theirs, "axis", "axis")).toBe("goal nearer");
    expect(changeOf(won, "axis", "soviet")).toBe("goal farther");
    expect(changeOf(turn("axis", 0.4, 0.4), "axis", "axis")).toBe("goal no nearer");
  });

  it("finds the one that cost a side most", () => {
    expect(worstOf(course, "axis")).toBe(lost);
    expect(worstOf(course, "soviet")).toBe(theirs);
    expect(worstOf(course, "nobody")).toBeUndefined();
  });
});

describe("the chart of a game", () => {
  it("rises for the first side and falls for the second", () => {
    const { line, area } = outline(points, 80, { width: 160, height: 64 });
    expect(line).toBe("M4 32L80 0L160 64");
    expect(area).toMatch(/^M4 32L.*L160 32Z$/);
    expect(outline([], 80, { width: 160, height: 64 }).line).toBe("");
  });

  it("shows the part in which the game moves where one side leads all the time", () => {
    expect(rangeOf(points)).toEqual({ low: 0, high: 1 });
    const led = [point(0, 0.1, "June"), point(80, 0.15, "July")];
    const range = rangeOf(led);
    expect(range.low).toBeCloseTo(0.09);
    expect(range.high).toBeCloseTo(0.16);
    expect(heightOf(0.1, range, 70)).toBeCloseTo(60);
    expect(heightOf(0.5, range, 70)).toBe(0);
    expect(rangeOf([])).toEqual({ low: 0, high: 1 });
  });

  it("finds turns and the position last judged", () => {
    expect(turnStarts(points)).toEqual([
      { ply: 2, turn: "June" },
      { ply: 80, turn: "July" },
    ]);
    expect(pointAt(points, 79)?.ply).toBe(40);
    expect(pointAt(points, 0)?.ply).toBe(2);
  });

  it("says who stands better", () => {
    const NAMES = { first: "Axis", second: "Soviet" };
    expect(standing(0.62, NAMES)).toBe("Axis 62 %");
    expect(standing(0.25, NAMES)).toBe("Soviet 75 %");
    expect(standing(0.505, NAMES)).toBe("even");
  });
});

describe("a plan on the map", () => {
  const places: Record<string, { x: number; y: number }> = {
    A: { x: 0, y: 0 },
    B: { x: 100, y: 0 },
    C: { x: 200, y: 0 },
  };
  const centre = (hex: string) => places[hex] ?? null;
  const step = (part: Partial<Step>): Step => ({
    kind: "move",
    text: "",
    units: [],
    path: [],
    origins: [],
    targets: [],
    odds: "",
    chance: null,
    why: "",
    line: "",
    ...part,
  });

  it("draws marches as arrows and single places as rings", () => {
    const [march, mark, lost] = draw(
      [step({ path: ["A", "C"] }), step({ kind: "mark", path: ["B"] }), step({ path: ["A", "nowhere"] })],
      centre,
    );
    expect(march?.paths).toEqual(["M20 0L178 0"]);
    expect(mark).toMatchObject({ paths: [], rings: [{ x: 100, y: 0 }] });
    expect(lost?.rings).toHaveLength(1);
  });

  it("draws an attack from each hex, with its odds above the target", () => {
    const fight = step({ kind: "attack", origins: ["A", "C"], targets: ["B"], odds: "about 4:1", short_odds: "≈ 4:1" });
    const [attack] = draw([fight], centre);
    expect(attack?.paths).toHaveLength(2);
    expect(attack?.pill).toEqual({ at: { x: 100, y: -56 }, text: "≈ 4:1" });
  });

  it("never turns a short arrow round", () => {
    expect(
      shaft(
        [
          { x: 0, y: 0 },
          { x: 24, y: 0 },
        ],
        20,
        22,
      ),
    ).toBe("M10 0L14 0");
    expect(shaft([{ x: 0, y: 0 }], 20, 22)).toBe("");
  });
});

describe("opponents by name", () => {
  const level = (id: string, title: string) => ({ id, title, summary: "" });
  const bots = [
    { id: "greedy", title: "Greedy", summary: "", usual: false, first: "normal", levels: [] },
    {
      id: "planner",
      title: "Planner",
      summary: "",
      usual: true,
      first: "normal",
      levels: [level("easy", "Easy"), level("normal", "Normal")],
    },
  ];

  it("reads and writes player and strength", () => {
    expect(read("planner-easy", bots)).toMatchObject({ bot: { id: "planner" }, level: "easy" });
    expect(read("planner", bots)).toMatchObject({ level: "normal" });
    expect(read("greedy", bots)).toMatchObject({ level: "" });
    expect(read("nobody", bots)).toBeNull();
    expect(nameOf(bots[1]!, "easy")).toBe("planner-easy");
    expect(nameOf(bots[1]!, "normal")).toBe("planner");
  });

  it("names them for people", () => {
    expect(titleOf("planner-easy", bots)).toBe("Planner, easy");
    expect(titleOf("planner", bots)).toBe("Planner");
    expect(titleOf("unheard", bots)).toBe("unheard");
    expect(kept(bots[1]!, "easy")).toBe("easy");
    expect(kept(bots[1]!, "patient")).toBe("normal");
  });
});
