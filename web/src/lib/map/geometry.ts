/** Hexes in the plane, world unit = 1/100 of the distance between two neighbours. Pointy-top unless a `Lattice` says flat-top. */

export const UNIT = 100;
export const RADIUS = UNIT / Math.sqrt(3);
export const ROW = (UNIT * Math.sqrt(3)) / 2;

export interface Point {
  x: number;
  y: number;
}

const CORNERS: readonly Point[] = [0, 1, 2, 3, 4, 5].map((i) => {
  const angle = (Math.PI / 180) * (60 * i - 30);
  return { x: RADIUS * Math.cos(angle), y: RADIUS * Math.sin(angle) };
});

/** Directions in order E, SE, SW, W, NW, NE; side i lies between corners i and i+1. */
export const STEPS: readonly Point[] = [
  { x: UNIT, y: 0 },
  { x: UNIT / 2, y: ROW },
  { x: -UNIT / 2, y: ROW },
  { x: -UNIT, y: 0 },
  { x: -UNIT / 2, y: -ROW },
  { x: UNIT / 2, y: -ROW },
];

export const corner = (centre: Point, i: number, scale = 1): Point => {
  const c = CORNERS[((i % 6) + 6) % 6] as Point;
  return { x: centre.x + c.x * scale, y: centre.y + c.y * scale };
};

/** The two corners of side `i`. Side 0 (east) joins the corners at -30 and +30 degrees. */
export const sideOf = (centre: Point, i: number): [Point, Point] => [corner(centre, i), corner(centre, i + 1)];

const r2 = (n: number): string => (Math.round(n * 100) / 100).toString();

export const cellKey = (p: Point): string => `${Math.round(p.x / (UNIT / 2))},${Math.round(p.y / ROW)}`;

/** Names a corner or a centre. All of them lie on a lattice, so rounded coordinates still meet. */
export const pointKey = (p: Point): string => `${Math.round(p.x / (UNIT / 2))},${Math.round(p.y / (RADIUS / 2))}`;

const swap = (p: Point): Point => ({ x: p.y, y: p.x });

/**
 * How the hexes of a map lie. Flat-top hexes are pointy-top ones with x and y exchanged, so direction 0 is then
 * south, 1 south-east, 2 north-east, 3 north, 4 north-west, 5 south-west.
 */
export class Lattice {
  readonly steps: readonly Point[];
  readonly directionNames: readonly string[];

  constructor(readonly flat: boolean) {
    this.steps = flat ? STEPS.map(swap) : STEPS;
    this.directionNames = flat ? ["S", "SE", "NE", "N", "NW", "SW"] : ["E", "SE", "SW", "W", "NW", "NE"];
  }

  /** A point as it would lie on a pointy-top map. */
  turned = (p: Point): Point => (this.flat ? swap(p) : p);
  corner = (centre: Point, i: number, scale = 1): Point => this.turned(corner(this.turned(centre), i, scale));
  sideOf = (centre: Point, i: number): [Point, Point] => [this.corner(centre, i), this.corner(centre, i + 1)];
  cellKey = (p: Point): string => cellKey(this.turned(p));
  pointKey = (p: Point): string => pointKey(this.turned(p));
  hexPath = (centre: Point, scale = 1): string =>
    `M${[0, 1, 2, 3, 4, 5]
      .map((i) => this.corner(centre, i, scale))
      .map((p) => `${r2(p.x)} ${r2(p.y)}`)
      .join("L")}Z`;
  chain = (segments: readonly Segment[]): Chain[] => chainSegments(segments, this.pointKey);
  /** Half the extent of a hex to the right and downwards. */
  get half(): Point {
    return this.turned({ x: UNIT / 2, y: RADIUS });
  }

  /** Where an arrow key leads: along a line of hexes straight on, across it in turns to either side. */
  stepsFor(dx: number, dy: number, zig: number): [number, number] {
    const [along, across] = this.flat ? [dy, dx] : [dx, dy];
    if (!across) return along > 0 ? [0, 0] : [3, 3];
    const first = across > 0 ? (zig > 0 ? 1 : 2) : zig > 0 ? 5 : 4;
    return [first, across > 0 ? 3 - first : 9 - first];
  }
}

export const POINTY = new Lattice(false);
export const FLAT = new Lattice(true);

export const midpoint = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

export type Segment = readonly [Point, Point];
interface Chain {
  points: Point[];
  closed: boolean;
}

/** Joins loose segments end to end: branching points end a chain, so each river arm is one line. */
export function chainSegments(segments: readonly Segment[], pointKey: (p: Point) => string = POINTY.pointKey): Chain[] {
  const at = new Map<string, number[]>();
  segments.forEach(([a, b], i) => {
    for (const p of [a, b]) {
      const key = pointKey(p);
      const list = at.get(key);
      if (list) list.push(i);
      else at.set(key, [i]);
    }
  });
  const used = new Uint8Array(segments.length);
  const chains: Chain[] = [];
  const walk = (first: number, from: Point): Chain => {
    const points = [from];
    let here = from;
    let next: number | undefined = first;
    while (next !== undefined) {
      used[next] = 1;
      const [a, b] = segments[next] as Segment;
      here = pointKey(a) === pointKey(here) ? b : a;
      points.push(here);
      const around: number[] = at.get(pointKey(here)) ?? [];
      next = around.length === 2 ? around.find((i) => !used[i]) : undefined;
    }
    const closed = points.length > 2 && pointKey(points[0] as Point) === pointKey(here);
    if (closed) points.pop();
    return { points, closed };
  };
  segments.forEach(([a, b], i) => {
    if (used[i]) return;
    const end = [a, b].find((p) => at.get(pointKey(p))?.length !== 2);
    if (end) chains.push(walk(i, end));
  });
  segments.forEach(([a], i) => {
    if (!used[i]) chains.push(walk(i, a));
  });
  return chains;
}

/** A chain as path data, its corners rounded: the line passes through the middle of each side. */
export function smoothPath(chain: Chain): string {
  const p = chain.points;
  const n = p.length;
  const fmt = (q: Point): string => `${r2(q.x)} ${r2(q.y)}`;
  const get = (i: number): Point => p[((i % n) + n) % n] as Point;
  if (chain.closed) {
    let d = `M${fmt(midpoint(get(0), get(1)))}`;
    for (let i = 1; i <= n; i += 1) d += `Q${fmt(get(i))} ${fmt(midpoint(get(i), get(i + 1)))}`;
    return `${d}Z`;
  }
  if (n === 2) return `M${fmt(get(0))}L${fmt(get(1))}`;
  let d = `M${fmt(get(0))}L${fmt(midpoint(get(0), get(1)))}`;
  for (let i = 1; i < n - 1; i += 1) d += `Q${fmt(get(i))} ${fmt(midpoint(get(i), get(i + 1)))}`;
  return `${d}L${fmt(get(n - 1))}`;
}

export const straightPath = (chain: Chain): string =>
  `M${chain.points.map((q) => `${r2(q.x)} ${r2(q.y)}`).join("L")}${chain.closed ? "Z" : ""}`;
