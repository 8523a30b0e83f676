import { actingUnits } from "./options.ts";
import type { Table } from "./table.svelte.ts";

/** The map cursor as keys move it. */
export class CursorKeys {
  private zig = 1;

  constructor(private readonly table: Table) {}

  /** Next place where something can be done: from north to south, each row from west to east. */
  next(step = 1): void {
    const { table } = this;
    if (table.game.interactions?.next(table, step)) return;
    const { index } = table.match;
    const acting = actingUnits(index)
      .map((u) => table.whereIs(u))
      .filter((h): h is string => h !== null);
    const hexes = [...new Set(acting.length ? acting : index.byHex.keys())]
      .map((h) => table.map.byId.get(h))
      .filter((h) => h !== undefined);
    hexes.sort((a, b) => a.y - b.y || a.x - b.x);
    if (!hexes.length) return;
    const here = hexes.findIndex((h) => h.id === table.cursor);
    const hex = hexes[(here + step + hexes.length + (here < 0 && step < 0 ? 1 : 0)) % hexes.length]!.id;
    table.select(hex);
    table.camera.look(hex);
    table.say(table.tellHex(hex));
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
