/** The map and the groups of War in Russia, from the engine's own data files. */
import charts from "./wirCharts.json" with { type: "json" };
import { readFileSync } from "node:fs";
import type { UnitSymbol } from "../src/lib/counters/symbol.ts";
import type { StaticGame } from "../src/lib/net/types.ts";
import { MapModel } from "../src/lib/map/model.ts";
import { parseCsv } from "./fixture.ts";

const DATA = new URL("../../src/rasputitsa/wir/data/", import.meta.url);
export const read = (name: string): Record<string, string>[] => parseCsv(readFileSync(new URL(name, DATA), "utf8"));
const ROW = Math.sqrt(3) / 2;
const centre = (hex: string): { x: number; y: number } => {
  const [column, row] = [Number(hex.slice(0, 2)) - 1, Number(hex.slice(2)) - 1];
  return { x: column * ROW + 1 / Math.sqrt(3), y: row + 0.5 + (column % 2) * 0.5 };
};
const KINDS: [string, number, number][] = [
  ["mechanized", 1, 11],
  ["infantry", 12, 51],
  ["air", 52, 57],
  ["depot", 58, 63],
  ["mechanized", 64, 75],
  ["infantry", 76, 115],
  ["air", 116, 121],
  ["depot", 122, 127],
];

export const hexRows = read("hexes.csv");
export const bases = read("depots_air.csv");
export const wirStatic: StaticGame = {
  map: {
    width: 28,
    height: 33,
    orientation: "flat",
    hexes: hexRows.map((h, i) => ({
      id: h["hex"]!,
      i,
      ...centre(h["hex"]!),
      terrain: h["terrain"]!,
      country: h["country"] || null,
      passable: h["passable"] === "1",
    })),
    sides: read("hexsides.csv").map((s) => ({
      a: s["hex_a"]!,
      b: s["hex_b"]!,
      kind: s["kind"]!,
      name: s["name"] || null,
    })),
    places: read("cities.csv").map((c) => ({
      hex: c["hex"]!,
      name: c["name"]!,
      kind: c["scores"] === "0" ? "source" : c["fortified"] === "1" ? "fortified" : "city",
      victory: 0,
      factory: 0,
      port: c["port"] ? [c["port"]] : [],
      fortress: Number(c["fortified"]),
      fuel: null,
    })),
  },
  units: KINDS.flatMap(([type, a, b]) =>
    Array.from({ length: b - a + 1 }, (_, i) => {
      const id = String(a + i);
      const side = a > 63 ? "soviet" : "axis";
      return {
        id,
        name: `${type} group ${id}`,
        side,
        nation: side === "axis" ? "DE" : "SU",
        type,
        type_title: `${type} group`,
        symbol: (type === "mechanized" ? "armor" : type) as UnitSymbol,
        size: side === "axis" ? "corps" : "army",
        af: 0,
        df: 0,
        mf: 0,
        home: bases.find((r) => r["id"] === id && type === "depot")?.["hex_1941"] ?? null,
      };
    }),
  ),
  charts: {
    ...charts,
    supply: { radius: 2, penalty_hexes: 4 },
    turns: Array.from({ length: 41 }, (_, i) => ({
      number: i + 1,
      date: new Date(Date.UTC(1941, 5, 22 + 7 * i)).toUTCString().slice(5, 16),
    })),
    relief: [50, 33, 25, 20, 17, 14, 12],
  } as never,
  verbs: {},
  signs: {},
  grounds: {},
  plainest: [],
};
export const wirMap = new MapModel(wirStatic);

/** Hexes up to n steps away on land. */
export function near(from: string, n: number): { hex: string; cost: number; fatigue: number }[] {
  const seen = new Map([[from, 0]]);
  for (let c = 1, front = [from]; c <= n; c += 1) {
    const next: string[] = [];
    for (const id of front)
      for (const h of wirMap.neighbours(wirMap.byId.get(id)!))
        if (h && h.passable !== false && !h.water && !seen.has(h.id)) {
          seen.set(h.id, c);
          next.push(h.id);
        }
    front = next;
  }
  seen.delete(from);
  return [...seen].map(([hex, cost]) => ({ hex, cost, fatigue: cost * 5 }));
}
