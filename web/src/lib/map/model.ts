import type { StaticGame, StaticHex, StaticPlace, StaticSide, StaticUnit } from "../net/types.ts";
import {
  FLAT,
  type Lattice,
  type Point,
  POINTY,
  RADIUS,
  ROW,
  type Segment,
  smoothPath,
  straightPath,
  UNIT,
} from "./geometry.ts";
import { endsWithName } from "../state/marks.ts";
import { sentence } from "../state/table/words.ts";

export interface Hex extends StaticHex {
  centre: Point;
  water: boolean;
  seas: string[];
  place: StaticPlace | null;
}

/** The map as fixed facts: hexes, who is next to whom, sides and places. */
export class MapModel {
  readonly hexes: Hex[];
  readonly byId: ReadonlyMap<string, Hex>;
  readonly units: ReadonlyMap<string, StaticUnit>;
  readonly places: StaticPlace[];
  readonly sides: StaticSide[];
  readonly width: number;
  readonly height: number;
  readonly lattice: Lattice;
  private readonly cells = new Map<string, Hex>();
  private readonly sidesAt = new Map<string, StaticSide[]>();

  constructor(readonly source: StaticGame) {
    this.lattice = source.map.orientation === "flat" ? FLAT : POINTY;
    const placeAt = new Map(source.map.places.map((p) => [p.hex, p]));
    this.places = source.map.places;
    this.sides = source.map.sides;
    this.hexes = source.map.hexes.map((h) => ({
      ...h,
      centre: { x: h.x * UNIT, y: h.y * UNIT },
      water: h.terrain === "sea" || h.terrain === "lake",
      seas: h.coast ?? [],
      place: placeAt.get(h.id) ?? null,
    }));
    this.byId = new Map(this.hexes.map((h) => [h.id, h]));
    this.units = new Map(source.units.map((u) => [u.id, u]));
    const rowOffset = this.hexes[0]?.centre ?? { x: 0, y: 0 };
    this.origin = rowOffset;
    for (const h of this.hexes) this.cells.set(this.key(h.centre), h);
    this.width = Math.max(0, ...this.hexes.map((h) => h.centre.x)) + this.lattice.half.x;
    this.height = Math.max(0, ...this.hexes.map((h) => h.centre.y)) + this.lattice.half.y;
    for (const s of source.map.sides) {
      for (const key of [`${s.a}/${s.b}`, `${s.b}/${s.a}`]) {
        const list = this.sidesAt.get(key);
        if (list) list.push(s);
        else this.sidesAt.set(key, [s]);
      }
    }
  }

  /** What all orders of a verb have in common. */
  verbTitle(verb: string): string {
    return this.source.verbs[verb]?.title ?? sentence(verb);
  }

  countryTitle(country: string): string {
    return this.source.map.titles?.countries[country] ?? country;
  }

  seaTitle(sea: string): string {
    return this.source.map.titles?.seas[sea] ?? sea;
  }

  /** What a kind of hexsides is called. */
  sideTitle(kind: string): string {
    return this.source.map.titles?.sides[kind] ?? sentence(kind);
  }

  private readonly origin: Point;

  private key(p: Point): string {
    return this.lattice.cellKey({ x: p.x - this.origin.x, y: p.y - this.origin.y });
  }

  step(hex: Hex, direction: number): Hex | null {
    const s = this.lattice.steps[direction] as Point;
    return this.cells.get(this.key({ x: hex.centre.x + s.x, y: hex.centre.y + s.y })) ?? null;
  }

  neighbours(hex: Hex | null): (Hex | null)[] {
    if (!hex) return [];
    return [0, 1, 2, 3, 4, 5].map((d) => this.step(hex, d));
  }

  /** Direction from one hex to an adjacent one, or -1. */
  direction(a: string, b: string): number {
    const from = this.byId.get(a);
    return from ? [0, 1, 2, 3, 4, 5].findIndex((d) => this.step(from, d)?.id === b) : -1;
  }

  /** What runs between two hexes. */
  between(a: string, b: string): readonly StaticSide[] {
    return this.sidesAt.get(`${a}/${b}`) ?? [];
  }

  segment(a: string, b: string): Segment | null {
    const hex = this.byId.get(a);
    const d = this.direction(a, b);
    return hex && d >= 0 ? this.lattice.sideOf(hex.centre, d) : null;
  }

  /** The hex under a world point: the nearest centre. */
  at(p: Point): Hex | null {
    const q = this.lattice.turned({ x: p.x - this.origin.x, y: p.y - this.origin.y });
    const [row, column] = [Math.round(q.y / ROW), Math.round(q.x / (UNIT / 2))];
    let best: Hex | null = null;
    let bestDistance = RADIUS * RADIUS * 1.01;
    for (let r = row - 1; r <= row + 1; r += 1) {
      for (let c = column - 1; c <= column + 1; c += 1) {
        const hex = this.cells.get(`${c},${r}`);
        if (!hex) continue;
        const distance = (hex.centre.x - p.x) ** 2 + (hex.centre.y - p.y) ** 2;
        if (distance < bestDistance) {
          bestDistance = distance;
          best = hex;
        }
      }
    }
    return best;
  }

  /** Outline of a set of hexes as path data. */
  outline(ids: Iterable<string>, smooth = false): string {
    return this.outlineWhere(new Set(ids), smooth);
  }

  private outlineWhere(inside: Set<string>, smooth: boolean): string {
    const segments: Segment[] = [];
    for (const id of inside) {
      const hex = this.byId.get(id);
      if (!hex) continue;
      for (let d = 0; d < 6; d += 1) {
        const other = this.step(hex, d);
        if (!other || !inside.has(other.id)) segments.push(this.lattice.sideOf(hex.centre, d));
      }
    }
    return this.lattice
      .chain(segments)
      .map(smooth ? smoothPath : straightPath)
      .join("");
  }

  /** Hexes one by one as path data, for tints that may leave gaps. */
  patch(ids: Iterable<string>, scale = 1): string {
    let d = "";
    for (const id of ids) {
      const hex = this.byId.get(id);
      if (hex) d += this.lattice.hexPath(hex.centre, scale);
    }
    return d;
  }

  /** A place's name with its hex, unless the words before have just named it. */
  named(id: string, before = ""): string {
    const name = this.byId.get(id)?.place?.name ?? "";
    return !name || endsWithName(before, name) ? id : `${name} ${id}`;
  }

  /** "near Minsk" for a hex without a name of its own. */
  describe(id: string): string {
    const hex = this.byId.get(id);
    if (!hex) return id;
    if (hex.place) return `${id} ${hex.place.name}`;
    for (const n of this.neighbours(hex)) if (n?.place) return `${id}, near ${n.place.name}`;
    return id;
  }
}
