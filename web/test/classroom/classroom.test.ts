import { describe, expect, it, vi } from "vitest";
import { agoOf, ClassRoom } from "../../src/lib/classroom/classRoom.svelte.ts";
import { Attempt } from "../../src/lib/ui/attempt.svelte.ts";
import { lossesOf } from "../../src/lib/classroom/debrief.ts";
import { plainCode, shownCode } from "../../src/lib/classroom/keys.ts";
import { isInside } from "../../src/lib/net/address.ts";
import { boardsFor, choicesOf } from "../../src/lib/classroom/tasks.ts";
import type { GameInfo, StaticGame, View } from "../../src/lib/net/types.ts";
import { parseRoute } from "../../src/lib/state/route.ts";

describe("the code of a class", () => {
  it("is the same however it is typed", () => {
    for (const typed of ["M5SW-CQ5Z", "m5sw cq5z", " m5swcq5z "]) expect(plainCode(typed)).toBe("M5SWCQ5Z");
    expect(shownCode("M5SWCQ5Z")).toBe("M5SW-CQ5Z");
  });
  it("leads to the pages of the class", () => {
    expect(parseRoute("#/class/m5sw-cq5z")).toEqual({ page: "class", code: "M5SWCQ5Z" });
    expect(parseRoute("#/teach")).toEqual({ page: "teach", code: "", debrief: false });
    expect(parseRoute("#/teach/M5SWCQ5Z/debrief")).toEqual({ page: "teach", code: "M5SWCQ5Z", debrief: true });
    expect(parseRoute("#/class/<img>")).toEqual({ page: "class", code: "" });
  });
  it("is of use at an address that others can reach", () => {
    expect(["localhost:1", "127.0.0.1:8642", "[::1]:1"].every(isInside)).toBe(true);
    expect(isInside("192.168.4.1:8642")).toBe(false);
  });
});

describe("the desk of a class", () => {
  it("does what is pressed while something else is being done, one after the other", async () => {
    const room = new ClassRoom({ code: "M5SWCQ5Z", key: "k" });
    const [attempt, done] = [new Attempt(), [] as string[]];
    vi.spyOn(room, "look").mockResolvedValue();
    let first = (): void => undefined;
    const back = room.act(attempt, () => new Promise<void>((yes) => (first = yes)).then(() => done.push("back")));
    const onward = room.act(attempt, () => Promise.resolve(done.push("go on")));
    await Promise.resolve();
    first();
    await Promise.all([back, onward]);
    expect(done).toEqual(["back", "go on"]);
  });
});

describe("what a class plays", () => {
  const game = {
    id: "g",
    scenarios: [
      { id: "war", hours: 30 },
      { id: "open", hours: 0 },
      { id: "evening", hours: 1.25 },
      { id: "hour", hours: 1 },
    ],
    lessons: [
      { id: "long", minutes: 30 },
      { id: "first", minutes: 10 },
    ],
  } as unknown as GameInfo;
  it("fits into lessons, the shortest first", () => {
    const { boards, alone } = choicesOf(game);
    expect(boards.map((c) => [c.task.scenario, c.minutes])).toEqual([
      ["hour", 60],
      ["evening", 75],
    ]);
    expect(alone.map((c) => c.task.lesson)).toEqual(["first", "long"]);
  });
  it("has a board for each two, and one more for an odd one", () => {
    expect([boardsFor(24, 2), boardsFor(25, 2), boardsFor(25, 4), boardsFor(7, 1)]).toEqual([12, 13, 7, 7]);
  });
});

it("tells how long a board waits", () => {
  expect([agoOf(5_000), agoOf(61_000), agoOf(3 * 3_600_000)]).toEqual(["less than a minute", "1 min", "3 hours"]);
});

it("names what stood on the map and does not any more", () => {
  const source = {
    units: [
      { id: "a", side: "axis", name: "Army A" },
      { id: "b", side: "axis", name: "Army B" },
      { id: "c", side: "soviet", name: "Army C" },
    ],
  } as unknown as StaticGame;
  const at = (...places: [string, string | null][]): View =>
    ({ units: places.map(([id, hex]) => ({ id, hex, where: "" })) }) as unknown as View;
  const then = at(["a", "N1"], ["b", null], ["c", "N2"]);
  const now = at(["a", null], ["b", "N3"], ["c", "N2"]);
  expect(lossesOf(source, then, now, "axis")).toEqual({ before: 1, now: 1, gone: ["Army A"], come: 1 });
  expect(lossesOf(source, then, now, "soviet").gone).toEqual([]);
});
