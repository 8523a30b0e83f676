import type { Acting } from "../../net/bodies.ts";
import { api, OfflineError, RefusedError, requestId } from "../../net/api.ts";
import type { ViewCache } from "../../net/viewCache.ts";
import type { View } from "../../net/types.ts";
import { saveAs } from "../../ui/file.ts";
import type { Arrivals } from "./arrivals.svelte.ts";
import type { Connection } from "./connection.svelte.ts";
import type { Notices } from "./notices.svelte.ts";

interface Sender {
  readonly id: string;
  readonly seat: string;
  readonly key: string;
  readonly view: View | null;
  readonly shownBefore: ViewCache;
  readonly connection: Connection;
  readonly notices: Notices;
  readonly arrivals: Arrivals;
  at(): Promise<View>;
  show(view: View): Promise<void>;
  incoming(view: View): void;
  refresh(): Promise<void>;
}

/** What this seat has the server do: one thing at a time, and what came of it is shown. */
export class Orders {
  busy = $state(false);

  constructor(private readonly match: Sender) {}

  /** Sends one action; true when it was carried out. One sent for the player, as `unasked`, may quietly come too late. */
  async send(view: View, action: string, unasked = false): Promise<boolean> {
    const { match } = this;
    const body = { seat: match.seat, key: match.key, version: view.version, action, request_id: requestId() };
    return this.work(async () => {
      const after = await match.connection.insist(action, (signal) => this.act(body, signal));
      match.notices.current = null;
      // the other side's answer may have come through the socket before our own request was answered
      if (!match.arrivals.isStale(after)) await match.show(after);
    }, unasked);
  }

  private async act(body: Acting, signal: AbortSignal): Promise<View> {
    const { id, shownBefore } = this.match;
    const answer = await api.act(id, { ...body, have: shownBefore.tag }, signal);
    const view = answer.change ? shownBefore.change(answer.change) : answer.view && shownBefore.keep(answer.view);
    return view ?? shownBefore.keep(await this.match.at());
  }

  /** Goes back, or offers to; `then` hears of the position before it is shown. */
  async undo(view: View, to: number | undefined, then: (after: View) => void): Promise<void> {
    const { match } = this;
    const body = { seat: match.seat, key: match.key, version: view.version, ...(to === undefined ? {} : { to }) };
    match.notices.pass();
    await this.work(async () => {
      const { view: after } = await api.undo(match.id, body);
      then(after);
      await match.show(after);
      if (to !== undefined && after.ply !== to)
        match.notices.say("info", `You offered to go back to entry ${to}. It happens once the other players agree.`);
    });
  }

  /** Does one thing at the server, and says what went wrong; what comes meanwhile waits. */
  private async work(what: () => Promise<void>, unasked = false): Promise<boolean> {
    this.busy = true;
    try {
      await what();
      return true;
    } catch (error) {
      await this.fail(error, unasked);
      return false;
    } finally {
      this.busy = false;
      this.match.arrivals.release((view) => this.match.incoming(view));
    }
  }

  /** Says what went wrong, and shows the position it went wrong in. */
  async fail(error: unknown, unasked = false): Promise<void> {
    const { match } = this;
    if (error instanceof RefusedError) {
      const { refusal } = error;
      if (refusal.view) await match.show(refusal.view);
      else if (error.status === 409) await match.refresh();
      if (!unasked || error.status !== 409) match.notices.say("refused", refusal.message, refusal.rule ?? null);
    } else if (error instanceof OfflineError) {
      match.connection.offline = true;
      match.notices.say("error", "The server does not answer. It is safe to try again.");
    } else {
      match.notices.say("error", error instanceof Error ? error.message : String(error));
    }
  }

  /** Has the browser keep the saved game as a file. */
  async download(): Promise<void> {
    const { id, seat, key } = this.match;
    try {
      saveAs(`rasputitsa-${id}.jsonl`, await api.save(id, seat, key));
    } catch (error) {
      await this.fail(error);
    }
  }

  /** Asks the computer to decide at once. */
  hurry(): void {
    const { id, seat, key } = this.match;
    void api.hurry(id, seat, key).catch((error: unknown) => this.fail(error));
  }
}
