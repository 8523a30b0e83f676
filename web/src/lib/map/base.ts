import { UNIT } from "./geometry.ts";
import type { StaticGame } from "../net/types.ts";
import type { MapModel } from "./model.ts";
import type { Palette } from "./palette.ts";
import type { BaseShapes } from "./shapes.ts";

/** How the weather lies on the land: where snow is, whether it is sodden, and whether what freezes is frozen. */
export type Ground = StaticGame["grounds"][string];
export const PLAIN: Ground = { snow: "none", wet: false, ice: false };
/** What the land looks like in a kind of weather; plain where the game says nothing of it. */
export const groundIn = (source: StaticGame, weather: string): Ground => source.grounds[weather] ?? PLAIN;
interface BaseOptions {
  ground: Ground;
  /** Whether the line where weather changes is wanted. */
  weatherLine: boolean;
}

/** Draws the land itself, without names; the context already carries the world transform. */
export function drawBase(
  ctx: CanvasRenderingContext2D,
  map: MapModel,
  s: BaseShapes,
  c: Palette,
  o: BaseOptions,
): void {
  const { snow, wet, ice } = o.ground;
  ctx.lineJoin = "round";
  ctx.lineCap = "round";
  ctx.fillStyle = c.sea;
  ctx.fillRect(-UNIT, -UNIT, map.width + 2 * UNIT, map.height + 2 * UNIT);
  ctx.strokeStyle = c.seaLine;
  for (const [width, alpha] of [
    [46, 0.18],
    [28, 0.22],
    [13, 0.3],
  ] as const) {
    ctx.globalAlpha = alpha;
    ctx.lineWidth = width;
    ctx.stroke(s.land);
  }
  ctx.globalAlpha = 1;
  const fill = (path: Path2D, colour: string): void => {
    ctx.fillStyle = colour;
    ctx.fill(path, "evenodd");
  };
  fill(s.land, c.clear);
  fill(s.foreign, c.foreign);
  fill(s.neutral, c.neutral);
  fill(s.hills, c.hills);
  fill(s.mountain, c.mountain);
  fill(s.swamp, c.swamp);
  fill(s.forest, c.forest);
  fill(s.swampIce, ice ? c.ice : c.swamp);
  if (wet) fill(s.land, c.wet);
  if (snow !== "none") fill(snow === "all" ? s.land : s.coldZone, c.snow);
  ctx.strokeStyle = c.tree;
  ctx.lineWidth = 1.5;
  ctx.stroke(s.treeGlyphs);
  ctx.strokeStyle = c.glyph;
  ctx.lineWidth = 1.6;
  ctx.stroke(s.glyphs);
  ctx.lineWidth = 1.9;
  ctx.stroke(s.mountainGlyphs);
  ctx.lineWidth = 1;
  ctx.strokeStyle = c.gridSea;
  ctx.stroke(s.gridSea);
  ctx.strokeStyle = c.grid;
  ctx.stroke(s.grid);
  ctx.strokeStyle = c.coast;
  ctx.lineWidth = 2;
  ctx.stroke(s.land);
  drawWater(ctx, s, c, ice);
  drawLines(ctx, s, c, o);
}

function drawWater(ctx: CanvasRenderingContext2D, s: BaseShapes, c: Palette, ice: boolean): void {
  for (const [path, frozen] of [
    [s.lakes, false],
    [s.lakesIce, ice],
  ] as const) {
    ctx.fillStyle = frozen ? c.ice : c.lake;
    ctx.fill(path, "evenodd");
    ctx.lineWidth = 2;
    ctx.strokeStyle = frozen ? c.iceLine : c.coast;
    ctx.stroke(path);
  }
  for (const river of s.rivers) {
    ctx.lineWidth = river.width;
    const frozen = ice && river.freezes;
    ctx.strokeStyle = frozen ? c.iceLine : c.river;
    ctx.stroke(river.path);
    if (frozen) {
      ctx.lineWidth = river.width * 0.55;
      ctx.strokeStyle = c.ice;
      ctx.stroke(river.path);
    }
  }
  for (const [path, inner] of [
    [s.lakeSides, c.lake],
    [s.lakeSidesIce, ice ? c.ice : c.lake],
    [s.seaSides, c.sea],
  ] as const) {
    ctx.lineWidth = 16;
    ctx.strokeStyle = c.coast;
    ctx.stroke(path);
    ctx.lineWidth = 12;
    ctx.strokeStyle = inner;
    ctx.stroke(path);
  }
}

function drawLines(ctx: CanvasRenderingContext2D, s: BaseShapes, c: Palette, o: BaseOptions): void {
  ctx.strokeStyle = c.border;
  ctx.lineWidth = 2.6;
  ctx.setLineDash([12, 5, 2, 5]);
  ctx.stroke(s.borders);
  ctx.setLineDash([3, 6]);
  ctx.lineWidth = 4;
  ctx.strokeStyle = c.blocked;
  ctx.stroke(s.straits);
  ctx.setLineDash([]);
  ctx.lineWidth = 5;
  ctx.stroke(s.blocked);
  ctx.strokeStyle = c.fortified;
  ctx.lineWidth = 4.4;
  ctx.stroke(s.fortified);
  ctx.lineCap = "butt";
  ctx.lineWidth = 4.4;
  ctx.stroke(s.fortifiedTeeth);
  ctx.lineCap = "round";
  if (o.weatherLine) {
    ctx.strokeStyle = c.weatherLine;
    ctx.lineWidth = 3.4;
    ctx.setLineDash([1, 9]);
    ctx.stroke(s.weatherLine);
    ctx.setLineDash([]);
    if (s.weatherLineHead)
      text(
        ctx,
        s.weatherLineName,
        s.weatherLineHead.x,
        s.weatherLineHead.y - 10,
        "italic 500 15px 'IBM Plex Serif', serif",
        c.weatherLine,
        c.halo,
      );
  }
}

export function text(
  ctx: CanvasRenderingContext2D,
  value: string,
  x: number,
  y: number,
  font: string,
  ink: string,
  halo: string | null,
): void {
  ctx.font = font;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  if (halo) {
    ctx.lineWidth = 4;
    ctx.strokeStyle = halo;
    ctx.strokeText(value, x, y);
  }
  ctx.fillStyle = ink;
  ctx.fillText(value, x, y);
}

/** Names of seas, countries and rivers. */
export function drawLabels(ctx: CanvasRenderingContext2D, s: BaseShapes, c: Palette): void {
  for (const l of s.labels) {
    ctx.save();
    ctx.translate(l.at.x, l.at.y);
    ctx.rotate(l.angle);
    if (l.kind === "river") text(ctx, l.text, 0, 0, `italic 400 ${l.size}px 'IBM Plex Serif', serif`, c.seaInk, c.halo);
    else {
      ctx.letterSpacing = `${l.size * 0.28}px`;
      if (l.kind === "sea") text(ctx, l.text, 0, 0, `italic 500 ${l.size}px 'IBM Plex Serif', serif`, c.seaInk, null);
      else text(ctx, l.text.toUpperCase(), 0, 0, `500 ${l.size}px 'IBM Plex Serif', serif`, c.faint, null);
      ctx.letterSpacing = "0px";
    }
    ctx.restore();
  }
}
