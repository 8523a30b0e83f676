import { describe, expect, it } from "vitest";
import { wirMap, wirStatic } from "../mock/wirMap.ts";
import { withNames } from "../src/games/wir/map/paint.ts";
import {
  directionNames,
  directionTo,
  extendPlot,
  nextHexes,
  pathAhead,
  plotPath,
  plotTo,
  stepFrom,
  tellPlot,
} from "../src/games/wir/model/plots.ts";
import { buildSteps, reportOf } from "../src/games/wir/execution/steps.ts";
import { addUp, leadOf, lossesOf, totalOf } from "../src/games/wir/execution/losses.ts";
import { inContext, tally } from "../src/games/wir/model/score.ts";
import { mapKey } from "../src/games/wir/mapKey.ts";
import { lacksSupply, signs, statusOn } from "../src/games/wir/model/signs.svelte.ts";
import { spread } from "../src/lib/counters/spread.ts";
import type { GameEvent, LogEntry, View } from "../src/lib/net/types.ts";

const sideOf = (group: string): string => wirMap.units.get(group)!.side;

const offered = (...texts: string[]): ReadonlyMap<string, unknown> => new Map(texts.map((t) => [t, null]));

/** An event of the log, in which only what a test looks at is filled in. */
const event = (kind: string, data: Record<string, unknown>, text = kind): GameEvent =>
  ({ kind, text, rule: "", data }) as GameEvent;

describe("the map of War in Russia", () => {
  it("has flat-top hexes, each found under its own centre", () => {
    expect(wirMap.hexes).toHaveLength(31 * 32);
    for (const hex of wirMap.hexes) expect(wirMap.at(hex.centre)?.id).toBe(hex.id);
  });

  it("knows the manual's directions in even and odd columns", () => {
    expect([1, 2, 3, 4, 5, 6].map((d) => stepFrom(wirMap, "1814", d))).toEqual([
      "1813",
      "1914",
      "1915",
      "1815",
      "1715",
      "1714",
    ]);
    expect([1, 2, 3, 4, 5, 6].map((d) => stepFrom(wirMap, "1714", d))).toEqual([
      "1713",
      "1813",
      "1814",
      "1715",
      "1614",
      "1613",
    ]);
    expect(directionTo(wirMap, "1714", "1814")).toBe(3);
    expect(directionTo(wirMap, "1714", "1914")).toBe(0);
    expect(stepFrom(wirMap, "0101", 6)).toBeNull();
  });

  it("closes the outline of the land and names the groups", () => {
    const d = wirMap.outline(
      wirMap.hexes.filter((h) => !h.water).map((h) => h.id),
      true,
    );
    expect(
      d
        .split("M")
        .slice(1)
        .every((loop) => loop.endsWith("Z")),
    ).toBe(true);
    expect(withNames(wirStatic).units.find((u) => u.id === "53")?.name).toBe("Air group 53");
  });

  it("moves the cursor straight along columns and in turns across them", () => {
    expect(wirMap.lattice.stepsFor(0, -1, 1)).toEqual([3, 3]);
    const [first, other] = wirMap.lattice.stepsFor(1, 0, 1);
    expect(
      [wirMap.step(wirMap.byId.get("1814")!, first)?.id, wirMap.step(wirMap.byId.get("1814")!, other)?.id].sort(),
    ).toEqual(["1914", "1915"]);
  });
});

describe("plots", () => {
  it("is told in the words of the engine", () => {
    expect(tellPlot(wirStatic, "02")).toBe("pause, then go north-east");
    expect(tellPlot(wirStatic, "")).toBe("no plot");
    expect(directionNames(wirMap)[3]).toBe("south-east");
  });

  it("is pointed out hex by hex, as far as the list allows", () => {
    const list = offered("2", "3", "23", "2S", "02");
    expect(extendPlot(wirMap, "1714", "", "1813", list)).toBe("2");
    expect(extendPlot(wirMap, "1714", "2", stepFrom(wirMap, "1813", 3)!, list)).toBe("23");
    expect(extendPlot(wirMap, "1714", "23", "1814", list)).toBe("3");
    expect(extendPlot(wirMap, "1714", "2S", "1814", list)).toBe("3");
    expect(extendPlot(wirMap, "1714", "2", "1714", list)).toBeNull();
    expect(extendPlot(wirMap, "1714", "", "1613", list)).toBeNull();
    expect(plotPath(wirMap, "1714", "02")).toEqual(["1714", "1714", "1813"]);
  });

  it("leads no farther than the weather lets it", () => {
    const unit = { hex: "1714", plot: "23" };
    expect(pathAhead(wirMap, unit)).toEqual(["1714", "1813", stepFrom(wirMap, "1813", 3)]);
    const plot_ends = { text: "", rule: "8.4", hex: "1813" };
    expect(pathAhead(wirMap, { ...unit, plot_ends })).toEqual(["1714", "1813"]);
    expect(pathAhead(wirMap, { hex: "1714", plot: "" })).toEqual([]);
  });

  it("stays in place where only such plots are offered", () => {
    expect(extendPlot(wirMap, "1714", "", "1813", offered("2S", "2B"))).toBe("2S");
  });

  it("lights the hexes that may follow", () => {
    expect(nextHexes(wirMap, "1714", "", offered("2", "3S"))).toEqual(["1813", "1814"]);
    expect(nextHexes(wirMap, "1714", "2", offered("2", "23"))).toEqual(["1813", stepFrom(wirMap, "1813", 3)]);
    expect(nextHexes(wirMap, "1714", "2S", offered("2", "23"))).toEqual(["1813"]);
  });

  it("finds a way of two steps that avoids the enemy", () => {
    expect(plotTo(wirMap, "1714", "2014", offered("23", "33", "32"), new Set())).toBeNull();
    expect(plotTo(wirMap, "1714", "1914", offered("32"), new Set(["1814"]))).toBe("32");
    expect(plotTo(wirMap, "1714", "1914", offered("32", "23"), new Set(["1814"]))).toBe("23");
  });
});

describe("the replayed week", () => {
  const way = (group: string, origin: string, destination: string) => ({ group, origin, destination });
  const events = [
    event("phase", { phase: "execution", side: "axis" }),
    event("segment", { segment: "movement", side: "axis" }, "Axis movement"),
    event("moves", way("1", "0415", "0515"), "{unit:1} to {hex:0515}"),
    event("moves", way("2", "0416", "0516")),
    event("segment", { segment: "attacks", side: "axis" }, "Axis attacks"),
    event("blast", { hex: "0617", groups: ["80"], percent: 0.5 }, "Bombs"),
    event("fight", { target: "0617", attackers: ["2"], odds_text: "2.5-1", defenders: ["80"] }, "Fight"),
    event("retreats", way("80", "0617", "0717"), "Back"),
    event("advances", way("2", "0516", "0617"), "On"),
    event("surrenders", { group: "81", hex: "0517" }, "Gone"),
    event("production", { side: "axis" }, "Production"),
  ];
  const start = new Map<string, string | null>([
    ["1", "0415"],
    ["2", "0416"],
    ["80", "0617"],
    ["81", "0517"],
  ]);
  const steps = buildSteps(events, start);

  it("shows the moves of a segment together and each fight with what came of it", () => {
    expect(steps.map((s) => s.kind)).toEqual(["moves", "segment", "fight"]);
    expect(steps[0]!.arrows).toHaveLength(2);
    expect(steps[2]!.texts).toEqual(["Bombs", "Fight", "Back", "On", "Gone"]);
    expect(steps[2]!.bursts).toEqual([{ hex: "0617", text: "2.5-1" }]);
  });

  it("keeps account of who stands where", () => {
    expect(steps[0]!.places.get("1")).toBe("0515");
    expect(steps[0]!.places.get("80")).toBe("0617");
    expect([...steps[2]!.places]).toEqual([
      ["1", "0515"],
      ["2", "0617"],
      ["80", "0717"],
      ["81", null],
    ]);
  });

  it("reports by segment, production last", () => {
    const report = reportOf({ ply: 1, seat: "axis", action: "done", turn: "", phase: "", events });
    expect(report.map((p) => p.title)).toEqual(["Axis movement", "Axis attacks", "End of the week"]);
  });
});

describe("score and stacks", () => {
  it("takes the score in whatever detail it comes", () => {
    const view = {
      victory: {
        axis: { total: 284, cities: 160 },
        soviet: { total: 1653 },
        difference: 1369,
        level: "Soviet decisive",
      },
    } as unknown as View;
    expect(tally(view)).toMatchObject({ total: 1369, level: "Soviet decisive", sides: { axis: { cities: 160 } } });
    expect(tally({} as View).total).toBeNull();
  });

  it("calls nothing decisive without saying that the war goes on", () => {
    const score = { sides: {}, total: 1874, level: "Soviet decisive" };
    expect(inContext(score, 1972)).toBe(
      "points, Soviet less Axis. If the war ended today: Soviet decisive. +98 for the Axis since the start.",
    );
    expect(inContext(score, null)).not.toContain("since");
  });

  it("counts a group that has marched as unsupplied all the same", () => {
    signs.follow(() => ({ scan: { axis: "after", soviet: "before" }, rings: true, statuses: {} }));
    expect([lacksSupply(false, "axis"), lacksSupply(true, "axis"), lacksSupply(false, "soviet")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(lacksSupply(undefined, "axis")).toBe(false);
  });

  it("shows the sign of a group without supplies in the map key before depots have moved", () => {
    signs.follow(() => ({ scan: { axis: "before" }, rings: true, statuses: {} }));
    const entry = mapKey.flatMap(([, entries]) => entries).find((e) => e.title === "Unsupplied (U)");
    expect(statusOn(entry!.counter!.state as { status: string }, "axis").sign).toBe("U");
    expect(statusOn({ status: "U" }, "axis").sign).toBe("");
  });

  it("lays the second counter so that the number of the first shows above it", () => {
    const [a, b] = [spread(0, 2, false, 1, { x: 9, y: 16 }), spread(1, 2, false, 1, { x: 9, y: 16 })];
    expect(b.y - a.y).toBe(16);
  });
});

describe("losses", () => {
  const cost = (infantry: number, mechanized: number, artillery: number, aircraft: number, units: number) => ({
    side: "axis",
    infantry,
    mechanized,
    artillery,
    aircraft,
    units,
  });
  const week = (ply: number, ...events: [string, Record<string, unknown>][]): LogEntry => ({
    ply,
    seat: "axis",
    action: "done",
    turn: `week ${ply}`,
    phase: "",
    events: [
      ["segment", { segment: "first_player", side: "axis" }] as [string, Record<string, unknown>],
      ...events,
    ].map(([kind, data]) => ({ kind, text: kind, rule: "", data }) as GameEvent),
  });

  it("are told week by week for the side that knows them, and by what the map shows for the other", () => {
    const quiet = { ...week(1), events: [] };
    const weeks = lossesOf(
      [
        week(
          0,
          ["losses", cost(120, 60, 9, 5, 1)],
          ["surrenders", { group: "76" }],
          ["city", { city: "Riga", side: "axis" }],
        ),
        quiet,
        week(2),
        week(3, ["losses", cost(10, 0, 0, 0, 0)], ["air_destroyed", { group: "52" }]),
      ],
      sideOf,
    );
    expect(weeks.map((w) => w.turn)).toEqual(["week 0", "week 2", "week 3"]);
    expect(weeks.map((w) => w.loss["axis"]?.infantry)).toEqual([120, 0, 10]);
    expect(weeks[0]!.loss["soviet"]).toBeUndefined();
    expect([weeks[0]!.seen["soviet"], weeks[2]!.seen["axis"]]).toEqual([
      { surrendered: 1, bases: 0, cities: 1 },
      { surrendered: 0, bases: 1, cities: 0 },
    ]);
    expect(totalOf(weeks, "axis")).toEqual({ infantry: 130, mechanized: 60, artillery: 9, aircraft: 5, units: 1 });
    expect(totalOf(weeks, "soviet")).toBeNull();
    expect(addUp([1, null, 2, 3])).toEqual([1, null, 3, 6]);
  });
});

describe("the report of a week", () => {
  it("leads with each side's losses, groups that are gone, and cities", () => {
    const events = [
      { kind: "segment", text: "Segment 1", data: { segment: "movement", side: "axis" } },
      { kind: "surrenders", text: "{unit:70} surrenders in {hex:1814}", data: { group: "70", hex: "1814" } },
      { kind: "air_destroyed", text: "{unit:117} is destroyed on its field", data: { group: "117", hex: "1216" } },
      { kind: "group_gone", text: "Group 71 leaves the map", data: { group: "71" } },
      { kind: "city", text: "Minsk is captured by the Axis side", data: { city: "Minsk", side: "axis" } },
      {
        kind: "losses",
        text: "",
        data: { side: "axis", infantry: 12, mechanized: 3, artillery: 5, aircraft: 0, units: 1 },
      },
    ].map(({ kind, text, data }) => event(kind, data, text));
    const [axis, soviet] = leadOf({ ply: 1, seat: null, action: "", turn: "", phase: "", events }, sideOf);
    expect(axis).toMatchObject({ side: "axis", loss: { infantry: 12, artillery: 5 }, gone: [], lost: [] });
    expect(soviet?.loss).toBeNull();
    expect(soviet?.gone.map((e) => e.text)).toEqual([
      "{unit:70} surrenders in {hex:1814}",
      "{unit:117} is destroyed on its field",
      "Group 71 leaves the map",
    ]);
    expect(soviet?.lost.map((e) => e.text)).toEqual(["Minsk is captured by the Axis side"]);
  });
});
