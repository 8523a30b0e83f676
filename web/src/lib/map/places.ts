import type { Point } from "./geometry.ts";
import { text } from "./base.ts";
import type { MapModel } from "./model.ts";
import type { Palette } from "./palette.ts";
import type { Plate } from "./plates.ts";
import type { StaticPlace } from "../net/types.ts";

const FONT = "'IBM Plex Sans Condensed', 'IBM Plex Sans', sans-serif";

/** Towns of three ranks, victory stars, factories, ports, fortresses and fuel, with names. */
export function drawPlaces(
  ctx: CanvasRenderingContext2D,
  map: MapModel,
  c: Palette,
  plates: ReadonlyMap<string, Plate>,
  hexIds: boolean,
  scale: number,
): void {
  if (hexIds && scale > 0.34) {
    for (const h of map.hexes) text(ctx, h.id, h.centre.x, h.centre.y - 48, `400 9.5px ${FONT}`, c.hexId, null);
  }
  for (const h of map.hexes) {
    const supply = h.edge;
    if (supply && !h.water && scale > 0.34) edgeMark(ctx, h.centre, supply, c);
  }
  for (const p of map.places) {
    const hex = map.byId.get(p.hex);
    if (!hex) continue;
    drawIcons(ctx, hex.centre, p, c);
    const plate = plates.get(p.hex);
    if (!plate) {
      drawMark(ctx, { x: hex.centre.x, y: hex.centre.y + 38 }, p, c);
      continue;
    }
    const { font, at, left } = plate;
    text(ctx, p.name, at.x, at.y, font, p.victory ? c.star : c.ink, c.halo);
    drawMark(ctx, { x: left + 8, y: at.y - 1 }, p, c);
  }
}

export const rankOf = (p: StaticPlace): 0 | 1 | 2 =>
  p.kind === "major" || p.kind === "fortified" ? 2 : p.kind === "city" || p.kind === "source" ? 1 : 0;

/** Whether a map of this scale has room for the name of a place. */
export const isNamed = (p: StaticPlace, scale: number): boolean => scale >= [0.34, 0.22, 0][rankOf(p)]!;

/** How large a name is written: it grows a little as the map shrinks. */
export function sizeOf(p: StaticPlace, scale: number): number {
  const rank = rankOf(p);
  return (
    (p.victory ? 16 : rank === 2 ? 14.5 : rank === 1 ? 13.5 : 12) *
    Math.max(1, Math.min(p.victory ? 2.3 : rank === 2 ? 1.9 : 1.3, 0.9 / scale))
  );
}

export const fontOf = (p: StaticPlace, size: number): string => `${rankOf(p) > 0 ? 700 : 500} ${size}px ${FONT}`;

function drawMark(ctx: CanvasRenderingContext2D, at: Point, p: StaticPlace, c: Palette): void {
  const rank = rankOf(p);
  const { x, y } = at;
  ctx.lineWidth = 1.6;
  ctx.strokeStyle = c.mark;
  ctx.fillStyle = c.mark;
  if (p.victory) {
    star(ctx, x, y - 1, 10.5, c.star, c.halo);
    return;
  }
  if (rank === 2) {
    ctx.fillRect(x - 6, y - 6, 12, 12);
    ctx.fillStyle = c.halo;
    ctx.fillRect(x - 2.4, y - 2.4, 4.8, 4.8);
    return;
  }
  ctx.beginPath();
  ctx.arc(x, y, rank === 1 ? 5 : 3.6, 0, Math.PI * 2);
  if (rank === 1) ctx.fill();
  else {
    ctx.fillStyle = c.halo;
    ctx.fill();
    ctx.stroke();
  }
}

function star(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, fill: string, edge: string): void {
  ctx.beginPath();
  for (let i = 0; i < 10; i += 1) {
    const a = -Math.PI / 2 + (i * Math.PI) / 5;
    const q = i % 2 ? r * 0.45 : r;
    ctx.lineTo(x + q * Math.cos(a), y + q * Math.sin(a));
  }
  ctx.closePath();
  ctx.lineWidth = 3;
  ctx.strokeStyle = edge;
  ctx.stroke();
  ctx.fillStyle = fill;
  ctx.fill();
}

/** Small signs to the right of the counter: factory, port, fortress, fuel. */
function drawIcons(ctx: CanvasRenderingContext2D, at: Point, p: StaticPlace, c: Palette): void {
  const signs: string[] = [];
  if (Number(p.factory)) signs.push("factory");
  if (p.port.length) signs.push("port");
  if (Number(p.fortress)) signs.push("fortress");
  if (p.fuel) signs.push("fuel");
  signs.forEach((sign, i) => {
    const x = at.x + 41;
    const y = at.y - 17 + i * 17;
    ctx.save();
    ctx.translate(x, y);
    ctx.fillStyle = c.halo;
    ctx.beginPath();
    ctx.arc(0, 0, 8.4, 0, Math.PI * 2);
    ctx.fill();
    ctx.strokeStyle = c.mark;
    ctx.fillStyle = c.mark;
    ctx.lineWidth = 1.5;
    ctx.fill(new Path2D(SIGN_FILL[sign] ?? ""));
    ctx.stroke(new Path2D(SIGN_LINE[sign] ?? ""));
    ctx.restore();
  });
}

const SIGN_FILL: Record<string, string> = {
  factory: "M-5.5 5V-1.5L-2 1V-1.5L1.5 1V-5.5H4.5V5Z",
  fuel: "M-2.5 -5H2.5L3.5 5H-3.5Z",
  fortress: "M-5.5 5V-4.5H-3.2V-2.4H-1.1V-4.5H1.1V-2.4H3.2V-4.5H5.5V5Z",
  port: "",
};
const SIGN_LINE: Record<string, string> = {
  port: "M0 -3.4V5.4M-3 -1.4H3M-5 1.6Q-4.4 5.4 0 5.4Q4.4 5.4 5 1.6M-1.5 -4.8A1.5 1.5 0 1 0 1.5 -4.8A1.5 1.5 0 1 0 -1.5 -4.8",
  fuel: "M-5.5 5.4H5.5M-5 -5H5",
  factory: "",
  fortress: "",
};

/** A map-edge supply source: a chevron pointing inwards with the owner's letter. */
function edgeMark(ctx: CanvasRenderingContext2D, at: Point, owner: string, c: Palette): void {
  ctx.save();
  ctx.globalAlpha = 0.75;
  text(ctx, owner, at.x - 36, at.y - 16, `600 10px ${FONT}`, c.border, null);
  ctx.strokeStyle = c.border;
  ctx.lineWidth = 2;
  ctx.stroke(new Path2D(`M${at.x - 40} ${at.y - 7}l6 6l-6 6M${at.x - 34} ${at.y - 7}l6 6l-6 6`));
  ctx.restore();
}
