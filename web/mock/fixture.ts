/** The static part of a game from the project's own data files, for tests and the mock server. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { UnitSymbol } from "../src/lib/counters/symbol.ts";
import type { StaticGame, ViewUnit } from "../src/lib/net/types.ts";

const DATA = join(dirname(fileURLToPath(import.meta.url)), "../../src/rasputitsa/portfolio/data");

export type Row = Record<string, string>;

export function parseCsv(text: string): Row[] {
  const rows: string[][] = [[]];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else if (c === '"') quoted = false;
      else cell += c;
    } else if (c === '"') quoted = true;
    else if (c === "," || c === "\n") {
      rows.at(-1)!.push(cell);
      cell = "";
      if (c === "\n") rows.push([]);
    } else if (c !== "\r") cell += c;
  }
  rows.at(-1)!.push(cell);
  const [head = [], ...rest] = rows;
  return rest.filter((r) => r.length > 1).map((r) => Object.fromEntries(head.map((h, i) => [h, r[i] ?? ""])));
}

const read = (name: string): Row[] => parseCsv(readFileSync(join(DATA, name), "utf8"));
const list = (text: string | undefined): string[] => (text ?? "").split(";").filter(Boolean);

const rowNumber = (letters: string): number => letters.charCodeAt(0) - 65 + (letters.length > 1 ? 26 : 0);

export function staticGame(): StaticGame {
  const turns: [number, string, string][] = [
    [1, "22 Jun 41", "Good"],
    [2, "11 Jul 41", "Good"],
    [3, "1 Aug 41", "Good"],
    [4, "21 Aug 41", "Good"],
    [5, "11 Sep 41", "Good"],
    [6, "1 Oct 41", "Mud"],
    [7, "21 Oct 41", "Mud"],
    [8, "11 Nov 41", "Hard Frost"],
    [9, "1 Dec 41", "Snow"],
    [10, "21 Dec 41", "Snow"],
  ];
  return {
    map: {
      width: 28.5,
      height: 34.9,
      hexes: read("hexes.csv").map((h) => {
        const [, letters = "A", column = "1"] = /^([A-Z]+)(\d+)$/.exec(h["hex"] ?? "") ?? [];
        const row = rowNumber(letters);
        return {
          id: h["hex"] ?? "",
          x: Number(column) - 0.5 + (row % 2) * 0.5,
          y: (row * Math.sqrt(3)) / 2 + 1 / Math.sqrt(3),
          terrain: h["terrain"] ?? "",
          country: h["country"] || null,
          coast: list(h["coast"]),
          sea: h["sea"] || null,
          arctic: h["arctic"] === "1",
          edge: h["edge"] || null,
        };
      }),
      sides: read("hexsides.csv").map((s) => ({
        a: s["hex_a"] ?? "",
        b: s["hex_b"] ?? "",
        kind: s["kind"] ?? "",
        name: s["name"] || null,
      })),
      places: read("places.csv").map((p) => ({
        hex: p["hex"] ?? "",
        name: p["name"] ?? "",
        kind: p["kind"] ?? "",
        victory: Number(p["victory"] || 0),
        factory: p["factory"] === "1",
        port: list(p["port"]),
        fortress: p["fortress"] === "1",
        fuel: p["fuel"] || null,
      })),
    },
    units: read("units.csv").map((u) => ({
      id: u["id"] ?? "",
      name: u["designation"] ?? "",
      side: u["side"] ?? "",
      nation: u["nation"] ?? "",
      type: u["type"] ?? "",
      type_title: u["type"] ?? "",
      symbol: u["type"] as UnitSymbol,
      size: u["size"] ?? "",
      af: Number(u["af"]),
      df: Number(u["df"]),
      mf: Number(u["mf"]),
      mark: u["mark"] || null,
      cost: u["cost"] ? Number(u["cost"]) : null,
      cost_kind: u["cost_kind"] || null,
      replaceable: u["replaceable"] === "1",
      pool: u["pool"] || null,
      group: u["group"] || null,
    })),
    charts: { turns: turns.map(([number, date, title]) => ({ number, date, title })) } as StaticGame["charts"],
    verbs: {},
    signs: {},
    grounds: {},
    plainest: [],
  };
}

/** Units as set up on 22 June 1941. */
export const setupUnits = (): ViewUnit[] =>
  read("units.csv").map((u) => ({
    id: u["id"] ?? "",
    hex: u["setup"] || null,
    where: u["setup"] ? "map" : u["pool"] || "pool",
    spent: false,
    dispersed: u["dispersed"] === "D",
    moved: false,
    attacked: false,
    hold: false,
  }));
