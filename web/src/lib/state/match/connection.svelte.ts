import { OfflineError } from "../../net/api.ts";
import { Live, type LiveMessage, type LiveState } from "../../net/live.ts";

/** How often the position is asked for while the socket is away. */
const POLL_MS = 3000;

interface Ends {
  url(): string;
  key(): string;
  receive(message: LiveMessage): void;
  /** Asks for the present position. */
  refresh(): Promise<void>;
}

/** The way to the server: the socket, polling while it is away, and actions kept until they are answered. */
export class Connection {
  state = $state<LiveState>("connecting");
  offline = $state(false);
  /** An action given while the server is away, until it is answered. */
  kept = $state("");
  private live: Live | null = null;
  private poller: ReturnType<typeof setInterval> | undefined;
  private wakers: (() => void)[] = [];
  private closed = false;
  /** The action under way; given up, and sent again, when the server is heard of on a new connection. */
  private underWay: AbortController | null = null;
  private readonly woken = (): void => {
    if (document.hidden) return;
    this.live?.check();
    void this.ends.refresh();
  };

  constructor(private readonly ends: Ends) {}

  /** Opens the socket, again if it is open for another seat or key. */
  open(): void {
    if (this.closed) return;
    this.live?.close();
    document.addEventListener("visibilitychange", this.woken);
    // without an address nothing comes by itself, and there is nothing to listen to
    if (!this.ends.url()) {
      this.state = "open";
      return;
    }
    this.live = new Live(
      () => this.ends.url(),
      () => this.ends.key(),
      (message) => this.ends.receive(message),
      (state) => this.change(state),
    );
    this.state = "connecting";
    addEventListener("online", this.woken);
    addEventListener("pageshow", this.woken);
    clearInterval(this.poller);
    this.poller = setInterval(() => {
      if (this.state !== "open" && !document.hidden) void this.ends.refresh();
    }, POLL_MS);
  }

  private change(state: LiveState): void {
    if (state === "silent") {
      this.offline = true;
      this.underWay?.abort();
    }
    if (state === "open") {
      this.offline = false;
      if (this.state !== "connecting") {
        this.underWay?.abort();
        void this.ends.refresh();
      }
      this.wake();
    }
    this.state = state;
  }

  /** Asks for the whole view over the socket. */
  askForView(): void {
    this.live?.send({ type: "view" });
  }

  /** The server has answered by another way. */
  heard(): void {
    this.live?.alive();
    this.offline = false;
  }

  /** Without a server an action is kept, and sent again under its request id until it is answered: it happens once. */
  async insist<T>(action: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      for (let tries = 0; ; tries += 1) {
        try {
          this.underWay = new AbortController();
          const result = await work(this.underWay.signal);
          this.offline = false;
          return result;
        } catch (error) {
          if (!(error instanceof OfflineError) || this.closed) throw error;
          this.offline = true;
          this.kept = action;
          await this.pause(this.state === "open" ? 300 : Math.min(3000, 500 * 2 ** tries));
        }
      }
    } finally {
      this.underWay = null;
      this.kept = "";
    }
  }

  /** Waits, but no longer than until the server is heard of again. */
  private pause(time: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, time);
      this.wakers.push(() => {
        clearTimeout(timer);
        done();
      });
    });
  }

  private wake(): void {
    const wakers = this.wakers;
    this.wakers = [];
    for (const f of wakers) f();
  }

  retry(): void {
    this.live?.retryNow();
    this.wake();
    void this.ends.refresh();
  }

  close(): void {
    this.closed = true;
    document.removeEventListener("visibilitychange", this.woken);
    removeEventListener("online", this.woken);
    removeEventListener("pageshow", this.woken);
    this.wake();
    clearInterval(this.poller);
    this.live?.close();
  }
}
