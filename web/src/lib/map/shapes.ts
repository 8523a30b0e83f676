import type { GameClient, SideLook } from "../../games/types.ts";
import { midpoint, type Point, type Segment, smoothPath, straightPath, UNIT } from "./geometry.ts";
import { forestGlyph, hillGlyph, mountainGlyph, swampGlyph } from "./glyphs.ts";
import type { Hex, MapModel } from "./model.ts";

interface Label {
  text: string;
  at: Point;
  angle: number;
  size: number;
  kind: "river" | "sea" | "country";
}

/** Everything of the map that never changes, as ready-made paths in world coordinates. */
export interface BaseShapes {
  land: Path2D;
  foreign: Path2D;
  neutral: Path2D;
  forest: Path2D;
  swamp: Path2D;
  swampIce: Path2D;
  hills: Path2D;
  mountain: Path2D;
  lakes: Path2D;
  lakesIce: Path2D;
  coldZone: Path2D;
  glyphs: Path2D;
  treeGlyphs: Path2D;
  mountainGlyphs: Path2D;
  grid: Path2D;
  gridSea: Path2D;
  rivers: { path: Path2D; freezes: boolean; width: number }[];
  lakeSides: Path2D;
  lakeSidesIce: Path2D;
  seaSides: Path2D;
  blocked: Path2D;
  straits: Path2D;
  borders: Path2D;
  fortified: Path2D;
  fortifiedTeeth: Path2D;
  weatherLine: Path2D;
  weatherLineHead: Point | null;
  weatherLineName: string;
  labels: Label[];
}

const isNeutral = (h: Hex): boolean => h.in_play === false || Boolean(h.neutral);

/** The first of some hexes in the part of the map that is in play. */
export const firstInPlay = (places: string[], hexes: ReadonlyMap<string, Hex>): string | undefined =>
  places.find((place) => hexes.get(place)?.in_play !== false);

/** The hexes with a ring of copies around the map, so that land runs on to the edge of the sheet. */
function withRim(map: MapModel): Map<string, { centre: Point; hex: Hex }> {
  const cells = new Map<string, { centre: Point; hex: Hex }>();
  const { pointKey, steps } = map.lattice;
  for (const hex of map.hexes) cells.set(pointKey(hex.centre), { centre: hex.centre, hex });
  for (let ring = 0; ring < 2; ring += 1) {
    for (const { centre, hex } of [...cells.values()]) {
      for (const d of [0, 3, 1, 2, 4, 5]) {
        const s = steps[d] as Point;
        const at = { x: centre.x + s.x, y: centre.y + s.y };
        if (!cells.has(pointKey(at))) cells.set(pointKey(at), { centre: at, hex });
      }
    }
  }
  return cells;
}

/** What of a game names the areas of its map, and says how its lines look. */
type Naming = Pick<GameClient, "coldZone" | "homeCountry" | "sideLooks">;

export function buildShapes(map: MapModel, game: Naming): BaseShapes {
  const cells = withRim(map);
  const { chain: chainSegments, pointKey, sideOf, steps } = map.lattice;
  const union = (test: (h: Hex) => boolean): Path2D => {
    const segments: Segment[] = [];
    for (const { centre, hex } of cells.values()) {
      if (!test(hex)) continue;
      steps.forEach((s, d) => {
        const other = cells.get(pointKey({ x: centre.x + s.x, y: centre.y + s.y }));
        if (!other || !test(other.hex)) segments.push(sideOf(centre, d));
      });
    }
    return new Path2D(chainSegments(segments).map(smoothPath).join(""));
  };
  const freezes = (it: { freezes?: boolean }): boolean => it.freezes ?? false;
  const sides = (look: SideLook) => map.sides.filter((s) => (game.sideLooks?.[s.kind] ?? s.kind) === look);
  const segmentsOf = (list: { a: string; b: string }[]): Segment[] =>
    list.map((s) => map.segment(s.a, s.b)).filter((s): s is Segment => s !== null);
  const pathOf = (list: { a: string; b: string }[], smooth: boolean): Path2D =>
    new Path2D(
      chainSegments(segmentsOf(list))
        .map(smooth ? smoothPath : straightPath)
        .join(""),
    );
  const bothLand = (s: { a: string; b: string }) => !map.byId.get(s.a)?.water && !map.byId.get(s.b)?.water;

  const glyphs = new Path2D();
  const treeGlyphs = new Path2D();
  const mountainGlyphs = new Path2D();
  for (const h of map.hexes) {
    if (h.terrain === "swamp") glyphs.addPath(new Path2D(swampGlyph(h.centre)));
    if (h.terrain === "forest") treeGlyphs.addPath(new Path2D(forestGlyph(h.centre)));
    if (h.terrain === "hills") glyphs.addPath(new Path2D(hillGlyph(h.centre)));
    if (h.terrain === "mountain") mountainGlyphs.addPath(new Path2D(mountainGlyph(h.centre)));
  }
  const grid = new Path2D();
  const gridSea = new Path2D();
  for (const h of map.hexes) {
    for (let d = 0; d < 6; d += 1) {
      const other = map.step(h, d);
      if (other && d > 2) continue;
      const [a, b] = sideOf(h.centre, d);
      const target = h.water && (!other || other.water) ? gridSea : grid;
      target.moveTo(a.x, a.y);
      target.lineTo(b.x, b.y);
    }
  }
  const riverSides = sides("river");
  const length = new Map<string, number>();
  for (const s of riverSides) length.set(s.name ?? "", (length.get(s.name ?? "") ?? 0) + 1);
  const wide = (s: { name?: string | null }) => Boolean(s.name) && (length.get(s.name ?? "") ?? 0) > 22;
  const rivers = [true, false].flatMap((isWide) =>
    [true, false].map((ice) => ({
      path: pathOf(
        riverSides.filter((s) => wide(s) === isWide && freezes(s) === ice),
        true,
      ),
      freezes: ice,
      width: isWide ? 7 : 4.6,
    })),
  );
  const lakeList = sides("lake").filter(bothLand);
  const weatherSides = sides("weather line");
  const weatherChains = chainSegments(segmentsOf(weatherSides));
  const longest = weatherChains.sort((a, b) => b.points.length - a.points.length)[0];
  const { line, teeth } = fortified(map, sides("rampart"));
  return {
    land: union((h) => !h.water),
    foreign: union((h) => !h.water && h.country !== game.homeCountry && !isNeutral(h)),
    neutral: union((h) => !h.water && isNeutral(h)),
    forest: union((h) => h.terrain === "forest" && !isNeutral(h)),
    swamp: union((h) => h.terrain === "swamp" && !freezes(h)),
    swampIce: union((h) => h.terrain === "swamp" && freezes(h)),
    hills: union((h) => h.terrain === "hills"),
    mountain: union((h) => h.terrain === "mountain"),
    lakes: union((h) => h.terrain === "lake" && !freezes(h)),
    lakesIce: union((h) => h.terrain === "lake" && freezes(h)),
    coldZone: union((h) => !h.water && Boolean(game.coldZone?.(h))),
    glyphs,
    treeGlyphs,
    mountainGlyphs,
    grid,
    gridSea,
    rivers,
    lakeSides: pathOf(
      lakeList.filter((s) => !freezes(s)),
      true,
    ),
    lakeSidesIce: pathOf(lakeList.filter(freezes), true),
    seaSides: pathOf(sides("sea").filter(bothLand), true),
    blocked: pathOf(sides("impassable").filter(bothLand), false),
    straits: pathOf(sides("strait"), false),
    borders: pathOf(sides("border").length ? sides("border") : frontiers(map), false),
    fortified: line,
    fortifiedTeeth: teeth,
    weatherLine: new Path2D(weatherChains.map(smoothPath).join("")),
    weatherLineHead: longest?.points[Math.floor(longest.points.length / 2)] ?? null,
    weatherLineName: weatherSides[0] ? map.sideTitle(weatherSides[0].kind) : "",
    labels: [...riverLabels(map, riverSides), ...areaLabels(map, game)],
  };
}

/** Where two countries meet on land, for maps that do not list their borders. */
function frontiers(map: MapModel): { a: string; b: string }[] {
  return map.hexes.flatMap((h) =>
    [0, 1, 2].flatMap((d) => {
      const other = map.step(h, d);
      return other && !h.water && !other.water && h.country && other.country && h.country !== other.country
        ? [{ a: h.id, b: other.id }]
        : [];
    }),
  );
}

/** A fortified line: a line a little inside the defended hex, its teeth towards the front. */
function fortified(map: MapModel, sides: readonly { a: string; b: string }[]): { line: Path2D; teeth: Path2D } {
  const line = new Path2D();
  const teeth = new Path2D();
  for (const s of sides) {
    const hex = map.byId.get(s.a);
    const d = map.direction(s.a, s.b);
    if (!hex || d < 0) continue;
    const a = map.lattice.corner(hex.centre, d, 0.9);
    const b = map.lattice.corner(hex.centre, d + 1, 0.9);
    line.moveTo(a.x, a.y);
    line.lineTo(b.x, b.y);
    const m = midpoint(a, b);
    const out = { x: (m.x - hex.centre.x) / 45, y: (m.y - hex.centre.y) / 45 };
    for (const t of [0.14, 0.38, 0.62, 0.86]) {
      const p = { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
      teeth.moveTo(p.x, p.y);
      teeth.lineTo(p.x + out.x * 7, p.y + out.y * 7);
    }
  }
  return { line, teeth };
}

function riverLabels(map: MapModel, sides: { a: string; b: string; name?: string | null }[]): Label[] {
  const groups = new Map<string, Segment[]>();
  for (const s of sides) {
    const segment = map.segment(s.a, s.b);
    if (!s.name || !segment) continue;
    const list = groups.get(s.name);
    if (list) list.push(segment);
    else groups.set(s.name, [segment]);
  }
  const labels: Label[] = [];
  for (const [name, segments] of groups) {
    const chain = map.lattice.chain(segments).sort((a, b) => b.points.length - a.points.length)[0];
    if (!chain || chain.points.length < 5) continue;
    const i = Math.floor(chain.points.length / 2);
    const a = chain.points[i - 1]!;
    const b = (chain.points[i + 1] ?? chain.points[i])!;
    let angle = Math.atan2(b.y - a.y, b.x - a.x);
    if (angle > Math.PI / 2) angle -= Math.PI;
    if (angle < -Math.PI / 2) angle += Math.PI;
    const m = midpoint(a, b);
    labels.push({
      text: name,
      at: { x: m.x + 10 * Math.sin(angle), y: m.y - 10 * Math.cos(angle) },
      angle,
      size: 13,
      kind: "river",
    });
  }
  return labels;
}

function areaLabels(map: MapModel, game: Naming): Label[] {
  const groups = new Map<string, { kind: "sea" | "country"; hexes: Hex[] }>();
  for (const h of map.hexes) {
    const sea = h.terrain === "sea" ? h.sea : undefined;
    const country = h.water || !h.country || h.country === game.homeCountry ? undefined : map.countryTitle(h.country);
    const name = sea ? map.seaTitle(sea) : country;
    if (!name) continue;
    const group = groups.get(name) ?? { kind: sea ? ("sea" as const) : ("country" as const), hexes: [] };
    group.hexes.push(h);
    groups.set(name, group);
  }
  const labels: Label[] = [];
  for (const [text, { kind, hexes }] of groups) {
    if (hexes.length < 3) continue;
    const mean = {
      x: hexes.reduce((s, h) => s + h.centre.x, 0) / hexes.length,
      y: hexes.reduce((s, h) => s + h.centre.y, 0) / hexes.length,
    };
    // the hex of the group nearest to its middle, so that the name stands on its own ground
    const at = hexes.reduce((best, h) =>
      Math.hypot(h.centre.x - mean.x, h.centre.y - mean.y) < Math.hypot(best.centre.x - mean.x, best.centre.y - mean.y)
        ? h
        : best,
    );
    labels.push({
      text,
      at: { x: at.centre.x, y: at.centre.y + UNIT * 0.02 },
      angle: 0,
      size: hexes.length > 20 ? 38 : 22,
      kind,
    });
  }
  return labels;
}
