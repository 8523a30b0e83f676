import type { UnitSymbol } from "../../lib/counters/symbol.ts";
import type { MapKeyPart } from "../../lib/mapkey/sample.ts";

const group = (id: string, side: "axis" | "soviet", symbol: UnitSymbol) => ({
  id,
  side,
  nation: side === "axis" ? "DE" : "SU",
  type: symbol,
  type_title: symbol,
  symbol,
  size: side === "axis" ? "corps" : "army",
  name: id,
  af: 0,
  df: 0,
  mf: 0,
});
const infantry = group("22", "axis", "infantry");
const strong = { strength: 210 } as object;
const rail = (side: string) => (hexes: string[]) => ({ rail: { [side]: hexes } });
const frost = { snow: "all" as const, wet: false, ice: true };

export const mapKey: readonly MapKeyPart[] = [
  [
    "Counters",
    [
      {
        title: "Infantry group",
        text: "Its number above, the strength of its units below. Square corners are Axis.",
        counter: { unit: infantry, state: strong },
      },
      {
        title: "Mechanized group",
        counter: { unit: group("6", "axis", "armor"), state: { strength: 350 } as object },
      },
      {
        title: "Air group",
        text: "The figure is its aircraft points.",
        counter: { unit: group("54", "axis", "air"), state: { aircraft: 60 } as object },
      },
      { title: "Depot", counter: { unit: group("58", "axis", "depot") } },
      {
        title: "Enemy group",
        text: "Its kind is seen, its units are not. Round corners are Soviet.",
        counter: { unit: group("85", "soviet", "infantry") },
      },
      { title: "In hand", counter: { unit: infantry, state: strong, active: true } },
      {
        title: "Entrenchment",
        text: "Each tooth at the foot is a level.",
        sign: "entrenchment",
        counter: { unit: infantry, state: { ...strong, entrench: 3 } as object },
      },
      {
        title: "Artillery",
        text: "The small gun above.",
        counter: { unit: infantry, state: { ...strong, artillery: 90 } as object },
      },
      {
        title: "Unsupplied (U)",
        counter: { unit: infantry, state: { ...strong, status: "U", sample: true } as object },
      },
      { title: "Moved (M)", sign: "moved", counter: { unit: infantry, state: { ...strong, status: "M" } as object } },
      {
        title: "Done (N)",
        sign: "done",
        counter: { unit: infantry, state: { ...strong, status: "N" } as object },
      },
    ],
  ],
  [
    "Ground",
    [
      { title: "Clear", land: {} },
      { title: "Forest", sign: "forest", land: { terrain: "forest" } },
      { title: "Swamp", sign: "swamp", land: { terrain: "swamp" } },
      { title: "Mountains", sign: "mountain", land: { terrain: "mountain" } },
      { title: "Sea and coast", land: { beyond: { terrain: "sea" } } },
      {
        title: "River",
        sign: "river",
        land: { side: "river" },
      },
      {
        title: "Cold and snow",
        sign: "frost",
        land: { side: "river", ground: frost },
      },
      {
        title: "Rain",
        sign: "rain",
        land: { ground: { snow: "none", wet: true, ice: false } },
      },
      { title: "Another country", land: { beyond: { country: "Germany" } } },
    ],
  ],
  [
    "Railways",
    [
      {
        title: "German gauge",
        text: "With ties.",
        sign: "axis_rail",
        land: { beyond: {}, view: rail("axis") },
      },
      {
        title: "Russian gauge",
        text: "A double line.",
        sign: "soviet_rail",
        land: { beyond: {}, view: rail("soviet") },
      },
    ],
  ],
  [
    "Places",
    [
      { title: "City", land: { place: { name: "City", kind: "city" } } },
      {
        title: "Fortified city",
        sign: "fortified",
        land: { place: { name: "Fortified", kind: "fortified", fortress: 1 } },
      },
      { title: "Port", land: { place: { name: "Port", kind: "city", port: ["Black Sea"] } } },
    ],
  ],
  [
    "Lit hexes and layers",
    [
      { title: "Can be reached", text: "The figure is the hexes, or the penalty hexes of a depot.", layer: "reach" },
      { title: "Can be attacked", layer: "target" },
      { title: "Selected", layer: "selected" },
      { title: "Goal", text: "Of a lesson or an evening.", layer: "goal" },
      { title: "Zone of control", text: "Hatched in the colour of its side.", layer: "zoc" },
      { title: "Controlled by the Axis", layer: "control" },
      { title: "Front line", layer: "front" },
      {
        title: "No way to retreat",
        text: "Marked where adjacent enemies could drive it out, as far as you know.",
        sign: "trapped",
        layer: "trapped",
      },
      {
        title: "Strength, hex by hex",
        text: "What counts in a fight: darker means stronger. A broken edge and ≈: an estimate of hidden groups; ?: not known.",
        layer: "strengths",
      },
      {
        title: "Odds against each hex",
        text: "If all adjacent groups attack, after their guns: brown below 1:1, violet from 5:1. ≈: an estimate of hidden groups.",
        layer: "odds",
      },
    ],
  ],
];
