import type { UnitSymbol } from "../../lib/counters/symbol.ts";
import type { MapKeyPart } from "../../lib/mapkey/sample.ts";

const unit = (
  id: string,
  nation: string,
  symbol: UnitSymbol,
  size: string,
  [af, df, mf]: [number, number, number],
) => ({
  id,
  side: nation === "SU" ? "soviet" : "axis",
  nation,
  type: symbol,
  type_title: symbol,
  symbol,
  size,
  name: id,
  af,
  df,
  mf,
});
const corps = unit("24Pz", "DE", "armor", "corps", [6, 4, 6]);
const army = unit("20A", "SU", "infantry", "army", [4, 4, 3]);

export const mapKey: readonly MapKeyPart[] = [
  [
    "Counters",
    [
      {
        title: "A German panzer corps",
        text: "Attack, defence and movement below; the crosses show its size: three a corps, four an army, five a front.",
        counter: { unit: corps },
      },
      { title: "A Soviet army", text: "Round corners are Soviet, square ones Axis.", counter: { unit: army } },
      {
        title: "An ally",
        text: "With the letter of its nation: F, H, I, R.",
        counter: { unit: unit("RomMtn", "RO", "mountain", "corps", [2, 2, 4]) },
      },
      { title: "May act now", text: "Framed in gold.", counter: { unit: corps, ready: true } },
      { title: "In hand", counter: { unit: corps, active: true } },
      {
        title: "Spent (S)",
        sign: "spent",
        counter: { unit: corps, state: { spent: true } },
      },
      {
        title: "Dispersed (D)",
        sign: "dispersed",
        counter: { unit: army, state: { dispersed: true } },
      },
      {
        title: "No Retreat! (H)",
        sign: "hold",
        counter: { unit: army, state: { hold: true } },
      },
    ],
  ],
  [
    "Ground",
    [
      { title: "Clear", land: {} },
      { title: "Swamp", sign: "swamp", land: { terrain: "swamp" } },
      { title: "Hills", sign: "hills", land: { terrain: "hills" } },
      { title: "Mountains", sign: "mountain", land: { terrain: "mountain" } },
      { title: "Sea and coast", land: { beyond: { terrain: "sea" } } },
      { title: "Outside the Soviet Union", land: { country: "DE" } },
      {
        title: "Mud",
        sign: "mud",
        land: { ground: { snow: "none", wet: true, ice: false } },
      },
      {
        title: "Snow",
        sign: "snow",
        land: { terrain: "swamp", own: { arctic: true }, ground: { snow: "cold zone", wet: false, ice: true } },
      },
    ],
  ],
  [
    "Lines",
    [
      {
        title: "River",
        sign: "river",
        land: { side: "river" },
      },
      { title: "Lake, or an arm of the sea", sign: "lake", land: { side: "lake" } },
      {
        title: "Stalin Line",
        text: "The teeth point at the attacker.",
        sign: "stalin",
        land: { side: "stalin" },
      },
      { title: "Border", land: { side: "border", beyond: { country: "RO" } } },
      { title: "Arctic Weather Line", text: "Dotted, a layer.", land: { side: "arctic_line" } },
      { title: "Impassable", land: { side: "impassable" } },
      { title: "Kerch Strait, Kronshtadt channel", sign: "kerch", land: { side: "kerch" } },
    ],
  ],
  [
    "Places",
    [
      { title: "Town", land: { place: { name: "Town", kind: "town" } } },
      { title: "City", sign: "city", land: { place: { name: "City", kind: "city" } } },
      {
        title: "Major city",
        sign: "major",
        land: { place: { name: "Major", kind: "major" } },
      },
      {
        title: "Victory city",
        text: "A red star, with its points in the inspector.",
        sign: "victory",
        land: { place: { name: "Victory", kind: "major", victory: 1 } },
      },
      { title: "Fortress", sign: "fortress", land: { place: { name: "Fortress", kind: "city", fortress: 1 } } },
      {
        title: "Tank factory",
        sign: "factory",
        land: { place: { name: "Factory", kind: "city", factory: 1 } },
      },
      { title: "Port", land: { place: { name: "Port", kind: "city", port: ["Black Sea"] } } },
      {
        title: "Oil",
        sign: "fuel",
        land: { place: { name: "Oil", kind: "town", fuel: "axis" } },
      },
      { title: "Supply enters here", text: "An edge of the map, with the letter of the side.", land: { edge: "A" } },
    ],
  ],
  [
    "Lit hexes and layers",
    [
      {
        title: "Can be reached",
        text: "The figure is the cost, D and a broken edge a warning.",
        sign: "dispersing",
        layer: "reach",
      },
      { title: "Can be attacked", layer: "target" },
      { title: "Selected", layer: "selected" },
      { title: "Goal", text: "Of a lesson or an evening.", layer: "goal" },
      { title: "Zone of control", text: "Hatched in the colour of its side.", layer: "zoc" },
      { title: "Controlled by the Axis", layer: "control" },
      {
        title: "In supply",
        text: "Dotted green; a green edge is the rail net, a dotted edge the line to the oil.",
        layer: "supply",
      },
      { title: "Front line", layer: "front" },
      {
        title: "No way to retreat",
        text: "As the units stand, no matter who attacks. The inspector says what it means.",
        layer: "trapped",
      },
      {
        title: "Strength, hex by hex",
        text: "Attack and defence with the ground, in the colour of the side: darker means stronger.",
        layer: "strengths",
      },
      {
        title: "Odds against each hex",
        text: "If every adjacent unit that can attack does so: from brown, below 1:1, to violet, 5:1 and more.",
        layer: "odds",
      },
    ],
  ],
];
