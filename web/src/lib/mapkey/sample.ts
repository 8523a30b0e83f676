import { drawBase, type Ground, PLAIN } from "../map/base.ts";
import { FLAT, POINTY, UNIT } from "../map/geometry.ts";
import { type Hex, MapModel } from "../map/model.ts";
import type { Palette } from "../map/palette.ts";
import { drawPlaces } from "../map/places.ts";
import { layNames } from "../map/plates.ts";
import { buildShapes } from "../map/shapes.ts";
import type { StaticGame, StaticHex, StaticPlace, StaticUnit, View, ViewUnit } from "../net/types.ts";
import type { GameClient } from "../../games/types.ts";

/** A piece of map to be painted as the map itself is: a hex, and where `side` or `beyond` is given the one next to it. */
export interface LandSign {
  terrain?: string;
  country?: string;
  /** What only this game says of its hexes. */
  own?: Partial<StaticHex>;
  /** What runs between the two hexes. */
  side?: string;
  /** Ground and country of the other hex. */
  beyond?: { terrain?: string; country?: string };
  place?: Partial<StaticPlace> & { name: string; kind: string };
  /** The map edge is a supply source here. */
  edge?: string;
  ground?: Ground;
  /** What the view says of this piece, where the game paints something of its own. */
  view?: (hexes: string[]) => object;
}
interface CounterSign {
  unit: StaticUnit;
  state?: Partial<ViewUnit>;
  ready?: boolean;
  active?: boolean;
}
/** An entry of the map key: a sign, and what it means. */
interface KeyEntry {
  title: string;
  /** How it is drawn. */
  text?: string;
  /** By this name the engine says what it stands for. */
  sign?: string;
  land?: LandSign;
  counter?: CounterSign;
  /** A hex drawn with one of the styles of the layers. */
  layer?: string;
}
export type MapKeyPart = readonly [string, readonly KeyEntry[]];

export const SAMPLE = { width: 88, height: 72 };
const SCALE = 0.62;

const PLACE: StaticPlace = { hex: "a", name: "", kind: "", victory: 0, factory: 0, port: [], fortress: 0, fuel: null };

function sampleMap(game: GameClient, s: LandSign): MapModel {
  const flat = game.flat ?? false;
  const { steps } = flat ? FLAT : POINTY;
  const to = steps[flat ? 2 : 0]!;
  const ice = s.ground?.ice ?? false;
  const two = s.side !== undefined || s.beyond !== undefined;
  const hexes = [
    {
      id: "a",
      x: 2,
      y: 2,
      terrain: s.terrain ?? "clear",
      country: s.country ?? game.homeCountry,
      edge: s.edge ?? null,
    },
    {
      id: "b",
      x: 2 + to.x / UNIT,
      y: 2 + to.y / UNIT,
      terrain: s.beyond?.terrain ?? s.terrain ?? "clear",
      country: s.beyond?.country ?? s.country ?? game.homeCountry,
    },
  ].map((h) => ({ ...h, freezes: ice, ...s.own }));
  const source: StaticGame = {
    map: {
      width: 4,
      height: 4,
      orientation: flat ? "flat" : "pointy",
      hexes: two ? hexes : hexes.slice(0, 1),
      sides: s.side ? [{ a: "a", b: "b", kind: s.side, freezes: ice }] : [],
      places: s.place ? [{ ...PLACE, ...s.place }] : [],
    },
    units: [],
    charts: {} as StaticGame["charts"], // nothing is looked up for a piece of a map
    verbs: {},
    signs: {},
    grounds: {},
    plainest: [],
  };
  return new MapModel(source);
}

/** Paints a piece of map as the map itself is painted. */
export function paintSample(
  ctx: CanvasRenderingContext2D,
  s: LandSign,
  game: GameClient,
  palette: Palette,
  ratio: number,
): void {
  const map = sampleMap(game, s);
  const ends = map.hexes.map((h: Hex) => h.centre);
  const middle = (way: "x" | "y"): number => ends.reduce((sum, p) => sum + p[way], 0) / ends.length;
  const k = SCALE * ratio;
  const [left, top] = [(SAMPLE.width * ratio) / 2 - middle("x") * k, (SAMPLE.height * ratio) / 2 - middle("y") * k];
  ctx.setTransform(k, 0, 0, k, left, top);
  drawBase(ctx, map, buildShapes(map, game), palette, {
    ground: s.ground ?? PLAIN,
    weatherLine: true,
  });
  if (s.view) game.paint?.draw(ctx, { map, view: s.view(map.hexes.map((h) => h.id)) as View, palette, scale: 1 });
  const widthOf = (name: string, font: string): number => {
    ctx.font = font;
    return ctx.measureText(name).width;
  };
  drawPlaces(ctx, map, palette, layNames(map, new Map(), 1, widthOf), false, 1);
}
