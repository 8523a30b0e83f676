import { midpoint, type Point } from "../../../lib/map/geometry.ts";
import type { StaticGame, StaticHex, View } from "../../../lib/net/types.ts";
import { MapModel } from "../../../lib/map/model.ts";
import type { Scene } from "../../types.ts";
import { wirView } from "../model/types.ts";

/** The seas and coasts, named after the ports on them; the Caspian has no port of the rules, but Astrakhan lies on it. */
const NAMES: Record<string, string> = { Baltic: "Baltic", "Black Sea": "Black Sea", "White Sea": "White Sea" };
const BY_CITY: Record<string, string> = { Astrakhan: "Caspian", Baku: "Caspian" };

const TITLES: Record<string, string> = { air: "Air group", depot: "Depot" };

/** Names the waters, which the rules do not, and the groups, which they only number. */
export function withNames(source: StaticGame): StaticGame {
  const flat: StaticGame = { ...source, map: { ...source.map, orientation: "flat" } };
  const map = new MapModel(flat);
  const names = new Map<string, string>();
  const seeds = map.places.flatMap((p) => {
    const [port] = p.port;
    const name = port ? (NAMES[port] ?? port) : BY_CITY[p.name];
    return name
      ? map
          .neighbours(map.byId.get(p.hex) ?? null)
          .filter((h) => h?.water)
          .map((h) => [h!.id, name] as const)
      : [];
  });
  // all shores at once, one ring after the other, so that each water keeps the name of its nearest port
  let front: (readonly [string, string])[] = seeds;
  for (const [id, name] of seeds) names.set(id, name);
  while (front.length) {
    const next: (readonly [string, string])[] = [];
    for (const [id, name] of front) {
      for (const h of map.neighbours(map.byId.get(id) ?? null)) {
        if (!h?.water || names.has(h.id)) continue;
        names.set(h.id, name);
        next.push([h.id, name]);
      }
    }
    front = next;
  }
  const hexes: StaticHex[] = flat.map.hexes.map((h) => ({ ...h, sea: h.sea || names.get(h.id) || null }));
  return {
    ...flat,
    map: { ...flat.map, hexes },
    units: flat.units.map((u) => ({ ...u, af: 0, df: 0, mf: 0, name: `${TITLES[u.type] ?? "Group"} ${u.id}` })),
  };
}

export const paintKey = (view: View): string => {
  const rail = wirView(view)?.rail ?? {};
  return `${Object.entries(rail)
    .map(([s, list]) => `${s}${list.length}:${list.at(-1) ?? ""}`)
    .join("|")}|${Object.values(rail)[0]?.join("") ?? ""}`;
};

/** Railways by gauge: ties across one line are German gauge, a cased line is Russian gauge; halves meet at the hexside. */
export function paintRail(ctx: CanvasRenderingContext2D, { map, view, palette, scale }: Scene): void {
  const rail = wirView(view)?.rail ?? {};
  const gauge = new Map<string, string>();
  for (const [side, list] of Object.entries(rail)) for (const id of list) gauge.set(id, side);
  const towns = new Set(map.places.map((p) => p.hex));
  const lines: Record<string, Path2D> = { axis: new Path2D(), soviet: new Path2D() };
  const ties = new Path2D();
  for (const [id, side] of gauge) {
    const hex = map.byId.get(id);
    if (!hex) continue;
    let joined = 0;
    for (const other of map.neighbours(hex)) {
      if (!other || other.water || !(gauge.has(other.id) || towns.has(other.id))) continue;
      joined += 1;
      const end = gauge.has(other.id) ? midpoint(hex.centre, other.centre) : other.centre;
      half(lines[side] ?? lines["axis"]!, side === "axis" ? ties : null, hex.centre, end);
    }
    if (!joined)
      half(
        lines[side] ?? lines["axis"]!,
        side === "axis" ? ties : null,
        { x: hex.centre.x - 18, y: hex.centre.y },
        { x: hex.centre.x + 18, y: hex.centre.y },
      );
  }
  ctx.save();
  ctx.lineCap = "round";
  const fine = scale > 0.3;
  for (const [side, path] of Object.entries(lines)) {
    const ink = side === "axis" ? palette.railFirst : palette.railSecond;
    ctx.strokeStyle = ink;
    ctx.globalAlpha = 0.85;
    ctx.lineWidth = side === "axis" ? 2.6 : 4.6;
    ctx.stroke(path);
    if (side !== "axis" && fine) {
      ctx.globalAlpha = 1;
      ctx.strokeStyle = palette.clear;
      ctx.lineWidth = 2;
      ctx.stroke(path);
    }
  }
  if (fine) {
    ctx.globalAlpha = 0.85;
    ctx.strokeStyle = palette.railFirst;
    ctx.lineCap = "butt";
    ctx.lineWidth = 2;
    ctx.stroke(ties);
  }
  ctx.restore();
}

function half(path: Path2D, ties: Path2D | null, a: Point, b: Point): void {
  path.moveTo(a.x, a.y);
  path.lineTo(b.x, b.y);
  if (!ties) return;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const n = { x: (-(b.y - a.y) / length) * 4.5, y: ((b.x - a.x) / length) * 4.5 };
  for (let d = 7; d < length; d += 9) {
    const p = { x: a.x + ((b.x - a.x) * d) / length, y: a.y + ((b.y - a.y) * d) / length };
    ties.moveTo(p.x - n.x, p.y - n.y);
    ties.lineTo(p.x + n.x, p.y + n.y);
  }
}
