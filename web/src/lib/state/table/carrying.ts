import { leaving } from "./options.ts";
import type { Table } from "./table.svelte.ts";

/** Counters carried by mouse or finger: taken up, and set down on a hex or at the end of a way drawn. */
export class Carrying {
  private taken: Promise<unknown> = Promise.resolve();
  private together = false;
  private drops = 0;

  constructor(private readonly table: Table) {}

  /** Whether a counter can be carried off: one that can act, or that could once another is put down. */
  possible(unit: string): boolean {
    const { table } = this;
    const { index } = table.match;
    if (table.game.interactions) return table.game.interactions.canDrag(table, unit);
    if (table.game.canStrike?.(table, unit)) return true;
    if (index.byUnit.has(unit) || table.active.includes(unit) || table.ways.has(unit)) return true;
    const inHand = table.active[0];
    return (
      inHand !== undefined &&
      leaving(index, table.game.leave) !== undefined &&
      table.sideOf(unit) === table.sideOf(inHand)
    );
  }

  /** Takes a counter up; `together` with those stacked with it that may go along. */
  takeUp(unit: string, together: boolean): void {
    const { table } = this;
    const { interactions } = table.game;
    this.together = together;
    this.taken = interactions ? interactions.lift(table, unit) : this.lift(unit, together);
  }

  private async lift(unit: string, together: boolean): Promise<void> {
    const { table } = this;
    const { match } = table;
    // an order sends it off from where it stands
    if (table.ways.has(unit) || table.game.canStrike?.(table, unit)) return;
    if (!table.active.includes(unit)) {
      const leave = leaving(match.index, table.game.leave);
      if (!match.index.byUnit.has(unit) && leave && !(await table.send(leave.action))) return;
      const options = match.index.byUnit.get(unit);
      if (options?.length !== 1 || !options[0] || !(await table.send(options[0].action))) return;
    }
    if (!together) return;
    const here = table.whereIs(unit);
    const mates = [...match.index.byUnit].filter(([u]) => table.whereIs(u) === here).flatMap(([, options]) => options);
    const mate = mates.find((o) => o.verb === table.game.verbs.joins);
    if (mate) await table.send(mate.action);
  }

  /** It was dropped on a hex: waits until its taking-up is answered, then sets it down there, by the way drawn if one was. */
  async drop(hex: string, unit: string, way: readonly string[] = []): Promise<void> {
    const { table } = this;
    const { match } = table;
    const drop = (this.drops += 1);
    await this.taken;
    for (let i = 0; i < 800 && match.busy; i += 1) await new Promise((r) => setTimeout(r, 25));
    // dropped again meanwhile: the last place counts
    if (drop !== this.drops) return;
    if (await table.game.interactions?.drop(table, hex, unit, this.together)) return;
    const oneWay = table.ways.at(hex, unit);
    if (oneWay) return this.follow(oneWay.line);
    if (await table.game.strike?.(table, unit, hex, this.together)) return;
    if (way.length > 1) return this.walk(way);
    const again = match.index.byUnit.get(unit);
    if (!match.index.byHex.has(hex) && again?.length === 1 && again[0]) await table.choose(again[0]);
    if (match.index.byHex.has(hex)) return table.clickHex(hex);
    await this.explain(hex);
  }

  /** Sends it off by one order; with Shift nobody else follows. */
  private async follow(line: string): Promise<void> {
    const { table } = this;
    const { match } = table;
    if (!(await table.send(line)) || !this.together) return;
    if (!table.game.follows?.includes(match.view?.decision?.kind ?? "")) return;
    const done = match.index.plain.find((o) => o.verb === table.game.verbs.ends);
    if (done) await table.send(done.action);
  }

  /** In one order if the move begins with it; one that is under way goes on hex by hex. */
  private async walk(way: readonly string[]): Promise<void> {
    const { table } = this;
    const { match, active } = table;
    const start = table.whereIs(active[0] ?? "");
    const back = match.index.plain.find((o) => o.verb === table.game.verbs.putsBack);
    if (start && back && table.game.wayLine) {
      if (await table.send(back.action)) await table.send(table.game.wayLine(active, [start, ...way]));
      return;
    }
    for (const hex of way) {
      const step = match.index.byHex.get(hex)?.[0];
      if (!step) return this.explain(hex);
      if (!(await table.send(step.action))) return;
    }
  }

  private async explain(hex: string): Promise<void> {
    const { hints } = this.table;
    this.table.select(hex);
    hints.hovered = hex;
    await hints.explain(hex);
  }
}
