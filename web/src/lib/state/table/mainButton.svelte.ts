import { primaryOption } from "./options.ts";
import type { Table } from "./table.svelte.ts";

/** A second press within this time is a double click, and must not end the phase behind the first. */
export const DOUBLE_CLICK_MS = 280;

/** The big button and the space bar: the answer that a player nearly always wants. */
export class MainButton {
  /** In which position it was pressed once. */
  private pressed = $state("");

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

  private get position(): string {
    return `${this.table.match.view?.version}`;
  }

  /** It was pressed once, in this position, where it ends a phase in which units could still act. */
  get armed(): boolean {
    return this.ending && this.pressed === this.position;
  }

  /** Takes the first of two presses back; false if there was none. */
  disarm(): boolean {
    const { armed } = this;
    this.pressed = "";
    return armed;
  }

  async press(): Promise<void> {
    const { table, option } = this;
    const { match } = table;
    if (match.queued) return match.flush();
    if (performance.now() - match.changed < DOUBLE_CLICK_MS) return;
    if (!option) {
      const lost = match.index.plain.find((o) => o.gives_up);
      if (lost) match.say("info", `${table.label(lost)}: ${lost.gives_up}. Use its button if that is what you want.`);
      return;
    }
    if (this.ending && !this.armed) {
      this.pressed = this.position;
      table.say("Units can still act. Press again to end the phase.");
      return;
    }
    this.pressed = "";
    await table.choose(option);
  }
}
