import { midpoint, type Point } from "../../../lib/map/geometry.ts";
import type { StaticGame, View } from "../../../lib/net/types.ts";
import type { Scene } from "../../types.ts";
import { wirView } from "../model/types.ts";

const TITLES: Record<string, string> = { air: "Air group", depot: "Depot" };

/** Names the groups, which the rules only number. */
export const withNames = (source: StaticGame): StaticGame => ({
  ...source,
  units: source.units.map((u) => ({ ...u, af: 0, df: 0, mf: 0, name: `${TITLES[u.type] ?? "Group"} ${u.id}` })),
});

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
