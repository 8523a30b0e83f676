import type { Point } from "./geometry.ts";

/** Half the map's width and height. */
const MIDDLE: Point = { x: 0.5, y: 0.5 };

/** Which part of the world is on screen: screen = world * k + (x, y). */
export class Viewport {
  x = $state(0);
  y = $state(0);
  k = $state(0.4);
  width = $state(800);
  height = $state(600);
  moving = $state(false);
  private settle: ReturnType<typeof setTimeout> | undefined;
  private frame = 0;

  constructor(
    readonly worldWidth: number,
    readonly worldHeight: number,
  ) {}

  get minScale(): number {
    return Math.min(this.width / this.worldWidth, this.height / this.worldHeight) * 0.92;
  }

  toWorld(p: Point): Point {
    return { x: (p.x - this.x) / this.k, y: (p.y - this.y) / this.k };
  }

  toScreen(p: Point): Point {
    return { x: p.x * this.k + this.x, y: p.y * this.k + this.y };
  }

  private touch(): void {
    this.moving = true;
    clearTimeout(this.settle);
    this.settle = setTimeout(() => (this.moving = false), 140);
  }

  private halt(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  /** What lay in the middle stays there when a sheet opens or the window changes; a glide goes on to its end. */
  resize(width: number, height: number): void {
    const [dx, dy] = [(width - this.width) / 2, (height - this.height) / 2];
    this.width = width;
    this.height = height;
    if (this.frame) return;
    this.x += dx;
    this.y += dy;
    this.clamp();
    this.touch();
  }

  pan(dx: number, dy: number): void {
    this.halt();
    this.x += dx;
    this.y += dy;
    this.clamp();
    this.touch();
  }

  zoomAt(p: Point, factor: number): void {
    this.halt();
    const k = Math.max(this.minScale, Math.min(3.2, this.k * factor));
    this.x = p.x - ((p.x - this.x) * k) / this.k;
    this.y = p.y - ((p.y - this.y) * k) / this.k;
    this.k = k;
    this.clamp();
    this.touch();
  }

  private clamp(): void {
    Object.assign(this, this.bounded(this, this.k));
  }

  /** The nearest corner of the world at a scale that leaves no more than a margin of the screen empty. */
  private bounded({ x, y }: Point, k: number): Point {
    const slackX = this.width * 0.1;
    const slackY = this.height * 0.12;
    const w = this.worldWidth * k;
    const h = this.worldHeight * k;
    return {
      x: w < this.width ? (this.width - w) / 2 : Math.min(slackX, Math.max(this.width - w - slackX, x)),
      y: h < this.height ? (this.height - h) / 2 : Math.min(slackY, Math.max(this.height - h - slackY, y)),
    };
  }

  /** Where on screen a world point comes to stand that is brought to a share of the map's width and height. */
  landing(p: Point, k: number | null, at: Point): Point {
    const scale = Math.max(this.minScale, k ?? this.k);
    const corner = this.bounded({ x: this.width * at.x - p.x * scale, y: this.height * at.y - p.y * scale }, scale);
    return { x: corner.x + p.x * scale, y: corner.y + p.y * scale };
  }

  fit(): void {
    this.k = this.minScale * 1.06;
    this.x = (this.width - this.worldWidth * this.k) / 2;
    this.y = (this.height - this.worldHeight * this.k) / 2;
    this.touch();
  }

  /** Glides so that a world point stands in the middle, or at another share of the map's width and height; at once if
   * motion is reduced. */
  centre(p: Point, k: number | null = null, calm = false, at: Point = MIDDLE): void {
    const targetK = Math.max(this.minScale, k ?? this.k);
    // worked out again at every step: the map may change its size on the way
    const to = () => ({ x: this.width * at.x - p.x * targetK, y: this.height * at.y - p.y * targetK, k: targetK });
    this.halt();
    if (calm) {
      Object.assign(this, to());
      this.clamp();
      this.touch();
      return;
    }
    const from = { x: this.x, y: this.y, k: this.k };
    const start = performance.now();
    this.moving = true;
    clearTimeout(this.settle);
    const tick = (now: number): void => {
      // a frame's time can lie before the start of the glide
      const t = Math.max(0, Math.min(1, (now - start) / 260));
      const e = 1 - (1 - t) ** 3;
      const end = to();
      this.x = from.x + (end.x - from.x) * e;
      this.y = from.y + (end.y - from.y) * e;
      this.k = from.k + (end.k - from.k) * e;
      this.clamp();
      this.frame = t < 1 ? requestAnimationFrame(tick) : 0;
      if (!this.frame) this.touch();
    };
    this.frame = requestAnimationFrame(tick);
  }

  /** True if the point is comfortably on screen. */
  shows(p: Point, margin = 60): boolean {
    const q = this.toScreen(p);
    return q.x > margin && q.y > margin && q.x < this.width - margin && q.y < this.height - margin;
  }

  reveal(p: Point, calm = false): void {
    if (!this.shows(p)) this.centre(p, null, calm);
  }
}
