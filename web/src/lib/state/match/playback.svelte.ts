import type { View } from "../../net/types.ts";
import type { EventKinds } from "../eventKinds.ts";
import { prefs } from "../prefs.svelte.ts";
import { weightOf, worthShowing } from "./weight.ts";

interface Step {
  ply: number;
  view: View | null;
  weight: number;
}

/** Other people's moves, shown one after another at a pace one can follow. */
export class Playback {
  waiting = $state(0);
  private steps: Step[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private busy = false;
  private stops = 0;

  constructor(
    private readonly at: (ply: number) => Promise<View>,
    private readonly show: (view: View) => Promise<void>,
    private readonly kinds: () => EventKinds,
  ) {}

  get running(): boolean {
    return this.busy || this.steps.length > 0;
  }

  /** Adds a position and those between it and the one shown, leaving out steps that have nothing to show. */
  add(view: View, shownPly: number): void {
    const kinds = this.kinds();
    const from = Math.max(shownPly, this.steps.at(-1)?.ply ?? 0);
    for (const entry of view.last_events ?? []) {
      const ply = entry.ply + 1;
      if (ply <= from || ply >= view.ply || !worthShowing(entry, kinds, prefs.onlyBattles)) continue;
      this.steps.push({ ply, view: null, weight: weightOf(entry, kinds) });
    }
    const last = view.last_events?.at(-1);
    // the newest position is put up in any case; one in which nothing has happened takes no time
    const told = last !== undefined && worthShowing(last, kinds, prefs.onlyBattles);
    this.steps.push({ ply: view.ply, view, weight: told ? weightOf(last, kinds) : 0 });
    this.waiting = this.steps.length;
    if (this.timer === undefined && !this.busy) void this.next();
  }

  private async next(): Promise<void> {
    this.timer = undefined;
    const step = this.steps.shift();
    this.waiting = this.steps.length;
    if (!step) return;
    const { stops } = this;
    this.busy = true;
    try {
      const view = step.view ?? (await this.at(step.ply));
      // skipped while it was fetched: the present is on the table already
      if (stops === this.stops) await this.show(view);
    } catch {
      /* a step that cannot be had is left out; the last one always carries its view */
    } finally {
      this.busy = false;
    }
    // what comes while the last step is looked at waits until it has been seen
    if (!this.steps.length && (!step.weight || stops !== this.stops)) return;
    const hurry = this.steps.length > 60 ? 0.2 : this.steps.length > 25 ? 0.5 : 1;
    this.timer = setTimeout(() => void this.next(), prefs.stepTime * hurry * step.weight);
  }

  /** Forget what is waiting; the newest position, if any, is given back. */
  stop(): View | null {
    this.stops += 1;
    clearTimeout(this.timer);
    this.timer = undefined;
    const last = this.steps.findLast((s) => s.view)?.view ?? null;
    this.steps = [];
    this.waiting = 0;
    return last;
  }
}
