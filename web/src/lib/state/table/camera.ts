import type { Point } from "../../map/geometry.ts";
import type { MapModel } from "../../map/model.ts";
import type { Viewport } from "../../map/viewport.svelte.ts";
import { prefs } from "../prefs.svelte.ts";

/** Where on the map, in shares of its width and height, a place may be brought that is to be looked at. */
const CLEARINGS: Point[] = [
  { x: 0.5, y: 0.5 },
  { x: 0.75, y: 0.45 },
  { x: 0.5, y: 0.2 },
  { x: 0.5, y: 0.82 },
  { x: 0.88, y: 0.3 },
  { x: 0.12, y: 0.2 },
];
/** Half the width of a counter in its ring, on the map. */
const COUNTER = 36;
/** What is left free next to a place that is to be seen, on the map. */
const MARGIN = 70;
/** Shares of the scale, and of the map's width, that are tried until no card lies over a place. */
const SHRUNK = [1, 0.9, 0.8];
const ASIDE = [0.5, 0.42];
/** How closely the edge of a card is looked for, in pixels. */
const STEP = 8;
const AROUND: Point[] = [
  { x: 0, y: 0 },
  { x: 0, y: -1 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 1, y: 0 },
];
/** Of more choices than these it is not worth moving the map for one. */
const FEW = 12;
const CLOSE_UP = 0.75;
/** A view of the map from which at least this share of some places is seen is as good as any. */
const FAIR_SHARE = 0.2;

/** Moves the map so that what matters is seen, next to the cards that lie over it. */
export class Camera {
  constructor(
    private readonly viewport: Viewport,
    private readonly map: MapModel,
  ) {}

  private centreOf(hex: string): Point | undefined {
    return this.map.byId.get(hex)?.centre;
  }

  private sees(point: Point): boolean {
    return this.viewport.shows(point) && !this.covered(this.viewport.toScreen(point), this.viewport.k);
  }

  look(hex: string, k: number | null = null): void {
    const centre = this.centreOf(hex);
    if (centre && (k || !this.sees(centre))) this.bring(centre, k);
  }

  closeUp(hex: string): void {
    const centre = this.centreOf(hex);
    if (centre) this.bring(centre, Math.max(this.viewport.k, CLOSE_UP));
  }

  /** Brings all of some places into view at once, from as near as may be; false where they lie too far apart. */
  frame(hexes: readonly (string | null)[], nearest: number, farthest: number): boolean {
    const points = hexes.map((h) => this.centreOf(h ?? "")).filter((p): p is Point => p !== undefined);
    if (!points.length) return false;
    const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const { width, height } = this.viewport;
    const strip = this.strip();
    const fitting = Math.min(width / (right - left + 2 * MARGIN), (height - strip) / (bottom - top + 2 * MARGIN));
    if (fitting < farthest) return false;
    const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
    const views = SHRUNK.flatMap((share) => {
      const k = Math.max(farthest, Math.min(nearest, fitting) * share);
      return ASIDE.map((x) => ({ k, at: { x, y: (height + strip) / 2 / height } }));
    });
    const shows = ({ k, at }: { k: number; at: Point }): boolean => {
      const to = this.viewport.landing(middle, k, at);
      return points.every((p) => {
        const [x, y] = [to.x + (p.x - middle.x) * k, to.y + (p.y - middle.y) * k];
        return x > 0 && x < width && y > 0 && y < height && !this.covered({ x, y }, k);
      });
    };
    const { k, at } = views.find(shows) ?? views[0]!;
    this.viewport.centre(middle, k, true, at);
    return true;
  }

  /** How much of the map's upper edge lies under a card that goes all across it. */
  private strip(): number {
    const map = document.getElementById("map")?.getBoundingClientRect();
    if (!map) return 0;
    const free = (y: number): boolean =>
      [0.25, 0.75].some((x) => document.elementFromPoint(map.left + map.width * x, map.top + y)?.closest("#map"));
    let strip = 0;
    for (let y = 0; y < map.height / 3; y += STEP) if (!free(y)) strip = y + STEP;
    return strip;
  }

  /** Of a few choices on the map one at least is to be seen. */
  lookAtOneOf(places: ReadonlySet<string>): void {
    const [first] = places;
    const centres = [...places].map((h) => this.centreOf(h)).filter((p): p is Point => p !== undefined);
    if (first && places.size <= FEW && !centres.some((p) => this.sees(p))) this.look(first);
  }

  /** Goes back to a point of the map; or, where hardly any of some places would be seen there, to where most are. */
  backTo(point: Point, places: readonly (string | null)[]): void {
    const centres = places.map((h) => this.centreOf(h ?? "")).filter((p): p is Point => p !== undefined);
    const { width, height, k } = this.viewport;
    const seen = (from: Point): number =>
      centres.filter((p) => 2 * Math.abs(p.x - from.x) * k < width && 2 * Math.abs(p.y - from.y) * k < height).length;
    const fair = seen(point) >= centres.length * FAIR_SHARE;
    const best = fair ? point : centres.reduce((most, p) => (seen(p) > seen(most) ? p : most), point);
    this.viewport.centre(best, null, prefs.calm);
  }

  /** Whether a card or the small map lies over part of a counter at a point of the window that shows the map. */
  private covered({ x, y }: Point, k: number): boolean {
    const map = document.getElementById("map");
    if (!map) return false;
    const { left, top } = map.getBoundingClientRect();
    return AROUND.some((at) => {
      const [across, down] = [left + x + at.x * COUNTER * k, top + y + at.y * COUNTER * k];
      return !document.elementFromPoint(across, down)?.closest("#map");
    });
  }

  /** Brings a point of the map into the middle, or next to the card that would lie over it. */
  private bring(point: Point, k: number | null): void {
    const scale = Math.max(this.viewport.minScale, k ?? this.viewport.k);
    const free = CLEARINGS.find((at) => !this.covered(this.viewport.landing(point, k, at), scale));
    this.viewport.centre(point, k, prefs.calm, free);
  }
}
