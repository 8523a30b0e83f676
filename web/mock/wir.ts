/** Canned positions of War in Russia, from the engine's own data files. */
import { noDice } from "./dice.ts";
import type { Decision, DecisionOption, LogEntry, View } from "../src/lib/net/types.ts";
import type { GroupUnit, WirUnit, WirView } from "../src/games/wir/model/types.ts";
import { bases, hexRows, near, read, wirMap } from "./wirMap.ts";

const sideOf = (id: string): string => (Number(id) > 63 ? "soviet" : "axis");

function groups(seat: string): WirUnit[] {
  const found = new Map<string, WirUnit>();
  for (const r of read("units_1941.csv")) {
    const id = r["group"]!;
    const u: WirUnit = found.get(id) ?? {
      id,
      hex: r["hex"]!,
      where: "map",
      entrench: Number(r["entrenchment"]),
      artillery: Number(r["artillery"]),
      status: Number(id) % 3 ? "S" : "U",
      waits: true,
      supplied: Number(id) % 3 > 0,
      plot: "",
      units: [],
    };
    const units = u.units as GroupUnit[];
    units.push({
      n: units.length + 1,
      name: r["designation"]!,
      nation: Number(id) > 63 ? "SU" : "DE",
      label: `${r["designation"]} ${r["type"]}`,
      type: r["type"]!,
      strength: Number(r["strength"]),
      most: 150,
      experience: Number(r["experience"]),
      fatigue: Number(r["fatigue"]),
    });
    u.strength = units.reduce((n, c) => n + c.strength, 0);
    found.set(id, u);
  }
  for (const b of bases)
    if (b["kind"] === "air")
      found.set(b["id"]!, {
        id: b["id"]!,
        hex: b["hex_1941"]!,
        where: "map",
        aircraft: Number(b["points_1941"]),
        status: "S",
        waits: true,
        supplied: true,
      });
  return [...found.values()].map((u) => (sideOf(u.id) === seat ? u : { id: u.id, hex: u.hex, where: "map" }));
}

const option = (action: string, label: string): DecisionOption => {
  const [verb = "", ...args] = action.split(" ");
  const out: DecisionOption = { action, verb, units: [], hex: null, number: null, label };
  for (const a of args)
    if (/^\d{4}$/.test(a)) out.hex = a;
    else if (["get", "divide", "transfer", "aircraft", "reinforce", "naval"].includes(verb)) out.units.push(a);
    else out.number = Number(a);
  if (verb === "plot") out.plot = args.join("");
  if (out.units.length === 1) [out.unit] = out.units;
  else if (out.units.length) [out.source, out.target] = out.units;
  return out;
};
const asked = (side: string, kind: string, prompt: string, rule: string, actions: [string, string][]): Decision => ({
  seat: side,
  side,
  mine: true,
  prompt,
  marked: prompt,
  rule,
  kind,
  options: actions.map(([a, l]) => option(a, l)),
  auto: false,
  units: [],
  hexes: [],
});

const PLOTS = [1, 2, 3, 4, 5, 6].flatMap((d) => [
  `${d}`,
  `${d}S`,
  `${d}B`,
  `0${d}`,
  ...[1, 2, 3, 4, 5, 6].flatMap((e) => [`${d}${e}`, `${d}${e}S`]),
]);
const scenes: Record<
  string,
  (units: WirUnit[]) => Partial<WirView> & { decision: Decision; last_events?: LogEntry[] }
> = {
  "wir-adjust": (units) => ({
    phase: { id: "adjust", label: "Group adjustment and building", rule: "4.0", reserve: null, side: "axis" },
    decision: asked("axis", "adjust", "Adjust your groups and build", "4.0", [
      ["done", "End the phase"],
      ...units
        .filter((u) => Number(u.id) < 40)
        .map((u): [string, string] => [`divide ${u.id}`, `Divide group ${u.id}`]),
      ["transfer 1 12", "From group 1 to group 12"],
      ["transfer 12 1", "From group 12 to group 1"],
      ["aircraft 53 54", "From 53 to 54"],
      ["aircraft 54 55", "From 54 to 55"],
      ["reinforce 53", "From the pool to 53"],
      ...["0118", "0316", "0319", "0221", "0125"].map((h): [string, string] => [
        `build ${h}`,
        `Build in ${wirMap.describe(h)}`,
      ]),
      ["factory 0118", "Factory in Germany"],
      ["dismantle 0319", "Dismantle in Warsaw"],
      ["naval 20 21", "By sea"],
      ["end_game", "Propose to end the game"],
      ["level 2", "Propose level 2"],
    ]),
  }),
  "wir-transfer": () => ({
    phase: { id: "adjust", label: "Group adjustment and building", rule: "4.0", reserve: null, side: "axis" },
    decision: asked("axis", "transfer", "From group 1 (1 1 PZ, 2 6 PZ) to group 12: send which unit?", "4.4", [
      ["halt", "Ready"],
      ["send 1", "1 PZ"],
      ["send 2", "6 PZ"],
      ["guns 10", "10"],
      ["guns 20", "20"],
      ["guns 30", "30"],
    ]),
  }),
  "wir-depot": () => ({
    phase: { id: "supply", label: "Supply", rule: "5.0", reserve: null, side: "axis" },
    depot: { id: "59", side: "axis", hex: "0118", penalty: 0, relief: 50, route: [] },
    decision: asked("axis", "depot", "Depot 59 in 0118, 0 penalty hexes: move it, supply from here", "5.2", [
      ["supply", "Supply from here"],
      ["skip", "Leave it unused"],
      ["auto_supply", "Auto supply"],
      ["auto", "Auto-move"],
      ["rail", "Build rail here"],
      ...near("0118", 7).map((h): [string, string] => [`depot ${h.hex}`, `To ${h.hex}`]),
    ]),
  }),
  "wir-movement": (units) => ({
    decision: asked("axis", "movement", "Get a group to give it orders, or end the phase", "6.1", [
      ["done", "End the phase"],
      ["auto_replace", "Replacements for all"],
      ...units.filter((u) => Number(u.id) < 58).map((u): [string, string] => [`get ${u.id}`, `Group ${u.id}`]),
    ]),
  }),
  "wir-orders": () => ({
    decision: asked("axis", "orders", "Mechanized group 1, status S, plot none", "6.1", [
      ["halt", "Put down"],
      ...[1, 2, 3, 4].map((d): [string, string] => [`step ${d}`, `March ${d}`]),
      ["railmove 0118", "By rail"],
      ["artillery", "Add artillery"],
      ["replace 1 10", "1 PZ: 10 points"],
      ["replace 1 20", "1 PZ: 20 points"],
      ["replace 2 10", "6 PZ: 10 points"],
      ...PLOTS.map((p): [string, string] => [`plot ${p}`, `Plot ${p}`]),
    ]),
  }),
};

export function wirScene(name: string, seat: string): View {
  const units = groups("axis");
  for (const [id, plot] of [
    ["2", "34S"],
    ["3", "2"],
    ["13", "3S"],
    ["15", "2B"],
    ["4", "02"],
  ] as const) {
    const u = units.find((x) => x.id === id);
    if (u) u.plot = plot;
  }
  const air = units.find((u) => u.id === "54");
  if (air) air.strike = { hex: "0618", manner: "ground" };
  const rows = (key: string, value: string): string[] => hexRows.filter((h) => h[key] === value).map((h) => h["hex"]!);
  const view: WirView = {
    match: name,
    game: "wir",
    scenario: "barbarossa",
    title: `Scene: ${name}`,
    lesson: null,
    options: {},
    data: "",
    rules_changed: null,
    dice: noDice,
    undo_offers: {},
    guide: null,
    goal: null,
    version: 4,
    ply: 4,
    seat,
    turn: {
      number: 1,
      label: "22 June 1941",
      short: "22 Jun 41",
      weather: "clear",
      weather_title: "Clear",
      last: 41,
      first: 1,
    },
    phase: { id: "movement", label: "Movement and tactical plot", rule: "6.0", reserve: null, side: "axis" },
    order: ["axis", "soviet"],
    units,
    control: { axis: rows("control_1941", "A") },
    rail: { axis: rows("rail_1941", "A"), soviet: rows("rail_1941", "S") },
    rail_order: { axis: null },
    cities: read("cities.csv").map((c) => ({
      name: c["name"]!,
      hex: c["hex"]!,
      owner: c["owner_1941"] === "A" ? "axis" : "soviet",
      population: Number(c["population_1941"]),
      industry: Number(c["industry_1941"]),
      vehicle: Number(c["vehicle_1941"]),
      artillery: Number(c["artillery_1941"]),
      aircraft: Number(c["aircraft_1941"]),
      supply: Number(c["supply_1941"]),
    })),
    pools: { axis: { infantry: 700, vehicle: 500, artillery: 600, aircraft: 20, factories: 0 } },
    limits: { axis: { rail_moves: 3, air_moves: 50, seas: [], dismantle: true } },
    level: 3,
    points: {},
    victory: {
      axis: { cities: 240, population: 190, supply: 150, total: 580 },
      soviet: { cities: 900, population: 480, supply: 140, total: 1520 },
      difference: 940,
      level: "Soviet Substantive Victory",
    },
    seas: {},
    attacks: [],
    last_events: [],
    outcome: null,
    can_undo: true,
    undo_to: null,
    decision: null,
    controllers: { axis: { kind: "human" }, soviet: { kind: "human" } },
  };
  return { ...view, ...(scenes[name] ?? scenes["wir-movement"]!)(units) };
}
export const wirScenes = Object.keys(scenes);

export function wirAsk(args: URLSearchParams): unknown {
  const units = groups("axis");
  const at = units.find((u) => u.id === (args.get("unit") ?? args.get("units")))?.hex ?? "0415";
  switch (args.get("kind")) {
    case "reach":
      return { plain: near(at, 4), rail: ["0118", "0319", "0221"] };
    case "route":
      return { hexes: [at, args.get("to")], cost: 2, line: "step 2; step 3" };
    case "depot":
      return {
        waves: [
          near("0118", 4).map((h) => h.hex),
          near("0118", 5)
            .filter((h) => h.cost === 5)
            .map((h) => h.hex),
          near("0118", 6)
            .filter((h) => h.cost === 6)
            .map((h) => h.hex),
        ],
        relief: [50, 33, 25],
      };
    case "odds":
      return {
        attack: 412,
        defence: 171,
        odds: 2.41,
        items: [
          { side: "attack", text: "Group 1: 6 units", value: 544, rule: "7.6" },
          { side: "defence", text: "Entrenchment 1", value: "x 1.2", rule: "7.9" },
        ],
        modifiers: [
          { text: "Across a river", value: "x 0.5", rule: "8.3" },
          { text: "Mechanized in clear ground", value: "x 1.5", rule: "7.6" },
        ],
        retreat: 70,
        losses: { attacker: 4.2, defender: 5.1 },
      };
    case "zoc":
      return {
        hexes: units
          .filter((u) => sideOf(u.id) === args.get("side"))
          .flatMap((u) => wirMap.neighbours(wirMap.byId.get(u.hex!)!).map((h) => h?.id))
          .filter(Boolean),
      };
    case "forecast":
      return { infantry: 210, vehicle: 98, artillery: 150, aircraft: 12, supply: 140 };
    case "why":
      return { legal: false, reason: "infantry groups move one hex", rule: "6.6" };
    default:
      return {};
  }
}
