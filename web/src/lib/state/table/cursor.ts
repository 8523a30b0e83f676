import { actingUnits } from "./options.ts";
import type { Table } from "./table.svelte.ts";

/** The map cursor as keys move it. */
export class CursorKeys {
  private zig = 1;

  constructor(private readonly table: Table) {}

  /** Units that have still to act, as the engine tells. */
  get left(): string[] {
    return this.table.game.interactions?.left?.(this.table) ?? actingUnits(this.table.match.index);
  }

  /** Hexes of the combats announced, and those where one may be. */
  get combats(): string[] {
    const { table } = this;
    const own = table.game.interactions?.combats?.(table);
    if (own) return own;
    const announced = (table.match.shown?.attacks ?? []).filter((a) => a.state === "open");
    const { index } = table.match;
    const possible = index.hexVerb && index.hexVerb === table.game.verbs.attacks ? index.byHex.keys() : [];
    return [...new Set([...announced.flatMap((a) => a.targets.slice(0, 1)), ...possible])];
  }

  nextCombat(): void {
    if (!this.goOn(this.combats, 1)) this.table.match.say("info", "No combat is announced.");
  }

  /** Next place where something can be done: from north to south, each row from west to east. */
  next(step = 1): void {
    const { table } = this;
    if (table.game.interactions?.next(table, step)) return;
    const { index } = table.match;
    const acting = actingUnits(index)
      .map((u) => table.whereIs(u))
      .filter((h): h is string => h !== null);
    this.goOn(acting.length ? acting : index.byHex.keys(), step);
  }

  /** To the next of some hexes, or the one before; false where there is none. */
  private goOn(places: Iterable<string>, step: number): boolean {
    const { table } = this;
    const hexes = [...new Set(places)].map((h) => table.map.byId.get(h)).filter((h) => h !== undefined);
    hexes.sort((a, b) => a.y - b.y || a.x - b.x);
    if (!hexes.length) return false;
    const here = hexes.findIndex((h) => h.id === table.cursor);
    const hex = hexes[(here + step + hexes.length + (here < 0 && step < 0 ? 1 : 0)) % hexes.length]!.id;
    table.select(hex);
    table.camera.look(hex);
    table.say(table.tellHex(hex));
    return true;
  }

  /** Arrow keys: straight on along a line of hexes; across it keeping the line as well as the hexes allow. */
  move(dx: number, dy: number): void {
    const { table } = this;
    const { map, viewport, hints } = table;
    const here =
      map.byId.get(table.cursor ?? "") ??
      map.at(viewport.toWorld({ x: viewport.width / 2, y: viewport.height / 2 })) ??
      map.hexes[0];
    if (!here) return;
    if (map.lattice.flat ? dx : dy) this.zig = -this.zig;
    const [d, other] = map.lattice.stepsFor(dx, dy, this.zig);
    const to = table.cursor ? (map.step(here, d) ?? map.step(here, other)) : here;
    if (!to) return;
    table.cursor = to.id;
    table.chooser = null;
    table.fan = null;
    viewport.reveal(to.centre, true);
    hints.clear(false);
    hints.pointed = null;
    hints.hovered = to.id;
    void hints
      .explain(to.id)
      .then(
        () => table.cursor === to.id && hints.current && table.say(`${table.tellHex(to.id)}. ${hints.current.text}`),
      );
    table.say(table.tellHex(to.id));
  }
}
