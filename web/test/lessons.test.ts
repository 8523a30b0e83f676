import { beforeEach, describe, expect, it, vi } from "vitest";
import { markingRule } from "../src/lib/lessons/marking.ts";
import type { Goal, LessonInfo } from "../src/lib/net/types.ts";
import {
  difficulty,
  goalStanding,
  goalTitle,
  learned,
  nextLesson,
  noteLearned,
  partsMet,
  progress,
  spokenGoal,
  timeLeft,
  toLearn,
} from "../src/lib/state/lessons.ts";

const lesson = (id: string, minutes = 10): LessonInfo => ({
  id,
  title: id,
  summary: "",
  goal: "",
  seat: "axis",
  minutes,
  turns: 1,
  opponent: "greedy",
  guided: false,
});
const lessons = [lesson("one"), lesson("two", 20), lesson("three", 30)];
const goal: Goal = {
  side: "axis",
  text: "Take Minsk.",
  last_turn: 3,
  last_date: "1 Aug 41",
  hexes: ["Q8"],
  units: ["3A"],
  reached: false,
  out_of_reach: "",
  parts: [
    { text: "hold Minsk (Q8)", done: 1, needed: 1 },
    { text: "off the map: 3A, 4A", done: 1, needed: 2 },
  ],
};

describe("the marked buttons of a step", () => {
  it("are those of all its verbs", () => {
    const rule = markingRule("halt done");
    expect(rule).toContain('[data-action="halt"]');
    expect(rule).toContain('[data-action="done"]');
  });

  it("are none where no plain verb is named", () => {
    expect(markingRule("")).toBe("");
    expect(markingRule('x"] {')).toBe("");
  });
});

describe("the order of lessons", () => {
  it("offers the first one not yet learned, and the first again when all are", () => {
    expect(toLearn(lessons, new Set())?.id).toBe("one");
    expect(toLearn(lessons, new Set(["one", "three"]))?.id).toBe("two");
    expect(toLearn(lessons, new Set(["one", "two", "three"]))?.id).toBe("one");
    expect(toLearn([], new Set())).toBeUndefined();
  });

  it("knows the next one, and that there is none after the last", () => {
    expect(nextLesson(lessons, "one")?.id).toBe("two");
    expect(nextLesson(lessons, "three")).toBeUndefined();
    expect(nextLesson(lessons, "tea")).toBeUndefined();
  });

  it("says how demanding each is", () => {
    expect(lessons.map(difficulty)).toEqual(["first steps", "easy", "demanding"]);
  });
});

describe("how far a goal is", () => {
  it("counts parts, or the figures of a single part", () => {
    expect(partsMet(goal)).toBe(1);
    expect(progress(goal)).toBe("1 of 2");
    expect(progress({ ...goal, parts: [{ text: "off the map", done: 4, needed: 3 }] })).toBe("3 of 3");
  });

  it("tells the time left", () => {
    expect([1, 2, 3, 4].map((turn) => timeLeft(goal, turn))).toEqual([
      "2 more turns after this",
      "one more turn after this",
      "this is the last turn",
      "this is the last turn",
    ]);
  });

  it("says whose it is", () => {
    const names = { axis: { name: "Axis" }, soviet: { name: "Soviet" } };
    expect(goalTitle({ ...goal, side: "soviet" }, "soviet", names)).toBe("Goal");
    expect(goalTitle({ ...goal, side: "soviet" }, "axis", names)).toBe("Soviet goal, to be prevented");
    expect(goalTitle({ ...goal, side: "soviet" }, "", names)).toBe("Goal");
  });

  it("is spoken in one line", () => {
    expect(spokenGoal(goal, 3)).toBe(
      "Goal: Take Minsk. hold Minsk (Q8): 1 of 1; off the map: 3A, 4A: 1 of 2. Last date 1 Aug 41, this is the last turn.",
    );
  });
});

describe("what has been learned", () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal("localStorage", {
      getItem: (k: string) => kept.get(k) ?? null,
      setItem: (k: string, v: string) => kept.set(k, v),
    });
  });

  it("is kept for each game", () => {
    noteLearned("portfolio", "one");
    noteLearned("portfolio", "two");
    noteLearned("portfolio", "one");
    expect([...learned("portfolio")]).toEqual(["one", "two"]);
    expect(learned("wir").size).toBe(0);
  });

  it("is nothing where the storage is broken or forbidden", () => {
    kept.set("rasputitsa.lessons", "{");
    expect(learned("portfolio").size).toBe(0);
    vi.stubGlobal("localStorage", {
      getItem: () => {
        throw new Error("forbidden");
      },
      setItem: () => {
        throw new Error("forbidden");
      },
    });
    expect(() => noteLearned("portfolio", "one")).not.toThrow();
  });
});

describe("the goal in the bar", () => {
  const names = { axis: { name: "Axis" }, soviet: { name: "Soviet" } };

  it("says whose it is where it is the enemy's", () => {
    expect(goalStanding(goal, "soviet", names).text).toBe("parts of the Axis goal");
    expect(goalStanding(goal, "axis", names).text).toBe("parts of the goal");
    expect(goalStanding(goal, "", names).text).toBe("parts of the goal");
  });
});
