import { adviceOf } from "../../analysis/advice.svelte.ts";
import type { DecisionOption } from "../../net/types.ts";
import { primaryOption } from "./options.ts";
import type { Table } from "./table.svelte.ts";

/** A second press within this time is a double click, and must not end the phase behind the first. */
export const DOUBLE_CLICK_MS = 280;

/** The big button and the space bar: the answer that a player nearly always wants. */
export class MainButton {
  /** In which position it was pressed once. */
  private pressed = $state("");

  constructor(private readonly table: Table) {}

  private advice = $derived.by(() => adviceOf(this.table));

  /** The answer that a fresh hint begins with. */
  private hinted = $derived.by((): DecisionOption | null => {
    const { begin, current, older } = this.advice;
    if (!current || !begin || older) return null;
    return this.table.match.view?.decision?.options.find((o) => o.action === current.action) ?? null;
  });

  private usual = $derived.by(() =>
    primaryOption(this.table.match.index, this.table.game.primary, Object.keys(this.table.game.inTurn ?? {})),
  );

  option = $derived.by(() => (this.hinted?.gives_up ? null : (this.hinted ?? this.usual)));

  /** Whether it does what a hint says, which is not what it does by itself. */
  advised = $derived.by(() => this.option !== null && this.option === this.hinted && this.option !== this.usual);

  /** How many units have still to act. */
  idle = $derived.by(() => this.table.game.interactions?.waiting?.(this.table) ?? this.table.match.index.byUnit.size);

  /** Whether an answer would end a phase with units still to move. */
  endsEarly(option: DecisionOption): boolean {
    return (
      option.verb === this.table.game.verbs.ends &&
      this.table.game.asksBeforeEnd.includes(this.table.match.view?.decision?.kind ?? "") &&
      this.idle > 0
    );
  }

  /** Whether it would end one so itself. */
  ending = $derived.by(() => this.option !== null && this.endsEarly(this.option));

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
    await (this.advised ? this.advice.start() : table.choose(option));
  }
}
