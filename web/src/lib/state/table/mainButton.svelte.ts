import { primaryOption } from "./options.ts";
import type { Table } from "./table.svelte.ts";

/** A second press within this time is a double click, and must not end the phase behind the first. */
export const DOUBLE_CLICK_MS = 280;

/** The big button and the space bar: the answer that a player nearly always wants. */
export class MainButton {
  /** It was pressed once where it ends a phase in which units could still act. */
  armed = $state("");

  constructor(private readonly table: Table) {}

  option = $derived.by(() =>
    primaryOption(this.table.match.index, this.table.game.primary, Object.keys(this.table.game.inTurn ?? {})),
  );

  /** How many units have still to act. */
  idle = $derived.by(() => this.table.game.interactions?.waiting?.(this.table) ?? this.table.match.index.byUnit.size);

  /** Whether it would end a phase with units still to move. */
  ending = $derived.by(
    () =>
      this.option !== null &&
      this.option.verb === this.table.game.verbs.ends &&
      this.table.game.asksBeforeEnd.includes(this.table.match.view?.decision?.kind ?? "") &&
      this.idle > 0,
  );

  async press(): Promise<void> {
    const { table, option } = this;
    const { match } = table;
    if (match.queued) return match.flush();
    if (performance.now() - match.changed < DOUBLE_CLICK_MS) return;
    if (!option) {
      const lost = match.index.plain.find((o) => o.gives_up);
      if (lost) table.say(`${table.label(lost)}: ${lost.gives_up}. Use its button if that is what you want.`);
      return;
    }
    const name = `${match.view?.version}`;
    if (this.ending && this.armed !== name) {
      this.armed = name;
      table.say("Units can still act. Press again to end the phase.");
      return;
    }
    this.armed = "";
    await table.choose(option);
  }
}
