/** The requests of a form, one at a time, and what went wrong with the last one. */
export class Attempt {
  busy = $state(false);
  trouble = $state("");

  async run(work: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.trouble = "";
    try {
      await work();
    } catch (e) {
      this.trouble = e instanceof Error ? e.message : String(e);
    }
    this.busy = false;
  }
}
