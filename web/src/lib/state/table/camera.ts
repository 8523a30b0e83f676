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

  /** Of a few choices on the map one at least is to be seen. */
  lookAtOneOf(places: ReadonlySet<string>): void {
    const [first] = places;
    const centres = [...places].map((h) => this.centreOf(h)).filter((p): p is Point => p !== undefined);
    if (first && places.size <= FEW && !centres.some((p) => this.sees(p))) this.look(first);
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
