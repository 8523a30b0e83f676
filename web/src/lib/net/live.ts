import type { ChangeMessage, LiveMessage as Said, ViewMessage, WindowMessage } from "../api/schema";
import type { Change } from "./viewCache.ts";
import type { View } from "./types.ts";

/** What the server says over the socket; its views are of games on a map. */
export type LiveMessage = Exclude<Said, ViewMessage | ChangeMessage> | ShownMessage | ChangedMessage;
interface ShownMessage extends ViewMessage {
  view: View;
}
interface ChangedMessage extends ChangeMessage {
  change: Change;
}

/** `silent`: nothing has been heard for so long that the player should know. */
export type LiveState = "connecting" | "open" | "lost" | "silent";

const TICK_MS = 500;
/** How often the server is asked whether it is there. */
const BEAT_MS = 3000;
/** A connection on which nothing comes for this long is given up; it may be the connection alone that is dead. */
const DEAF_MS = 6500;
const SILENT_MS = 10_000;
/** A page that wakes up has the server's answer by then, or asks on a new connection. */
const ANSWER_MS = 1500;
const CONNECT_MS = 2500;
/** Clocks that stood still for this long mean that the machine slept. */
const SLEPT_MS = 5000;
const PAUSE_MS = 250;
const MOST_PAUSE_MS = 800;
/** After this many attempts there is no hurry any more. */
const PATIENT_ATTEMPTS = 60;
const PATIENT_PAUSE_MS = 8000;

/**
 * A socket that notices when the other end has fallen silent, and reconnects by itself; the key is in no address.
 *
 * The server says nothing when nothing happens, and a network that swallows everything closes no connection: so it is
 * asked, and what it does not answer is as good as closed.
 */
export class Live {
  private socket: WebSocket | null = null;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly ticker: ReturnType<typeof setInterval>;
  private attempts = 0;
  private closed = false;
  private state: LiveState = "connecting";
  private heard = Date.now();
  private began = Date.now();
  private asked = 0;
  private deadline = 0;
  private ticked = Date.now();

  constructor(
    private readonly url: () => string,
    /** Of the seat that the address names at that moment: at one screen the next player may have sat down. */
    private readonly key: () => string,
    private readonly onMessage: (message: LiveMessage) => void,
    private readonly onState: (state: LiveState) => void,
  ) {
    this.ticker = setInterval(() => this.tick(), TICK_MS);
    this.open();
  }

  private open(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    if (this.closed) return;
    this.drop();
    const key = this.key();
    const socket = new WebSocket(this.url(), key ? ["rasputitsa", `key.${key}`] : ["rasputitsa"]);
    this.socket = socket;
    this.began = Date.now();
    this.deadline = 0;
    socket.onmessage = (event) => this.receive(String(event.data));
    socket.onclose = () => this.lose();
  }

  private receive(text: string): void {
    let message: LiveMessage;
    try {
      message = JSON.parse(text) as LiveMessage;
    } catch {
      this.send({ type: "view" });
      return;
    }
    this.alive();
    // a window that is opened only to be turned away is no success
    if (message.type !== "error") {
      this.attempts = 0;
      this.tell("open");
    }
    this.onMessage(message);
  }

  /** The server was heard of, here or elsewhere. */
  alive(): void {
    this.heard = Date.now();
    this.deadline = 0;
    if (this.state === "silent") this.tell("lost");
  }

  private tell(state: LiveState): void {
    if (state === this.state || this.closed) return;
    this.state = state;
    this.onState(state);
  }

  private drop(): void {
    const { socket } = this;
    this.socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private lose(): void {
    this.drop();
    if (this.closed || this.retry !== undefined) return;
    if (this.state !== "silent") this.tell("lost");
    this.attempts += 1;
    const most = this.attempts > PATIENT_ATTEMPTS ? PATIENT_PAUSE_MS : MOST_PAUSE_MS;
    const pause = Math.min(most, PAUSE_MS * 2 ** Math.min(this.attempts - 1, 8));
    this.retry = setTimeout(() => this.open(), pause * (0.5 + Math.random() / 2));
  }

  private tick(): void {
    const now = Date.now();
    if (now < this.ticked) this.setBack(this.ticked - now);
    if (now - this.ticked > SLEPT_MS) {
      this.heard = Math.max(this.heard, now - SILENT_MS + 2 * ANSWER_MS);
      this.check();
    }
    this.ticked = now;
    if (now - this.heard > SILENT_MS) this.tell("silent");
    if (this.socket?.readyState === WebSocket.CONNECTING) {
      if (now - this.began > CONNECT_MS) this.lose();
    } else if (this.socket) {
      const deaf = now - Math.max(this.heard, this.began) > DEAF_MS;
      if (deaf || (this.deadline && now > this.deadline)) this.lose();
      else if (now - this.asked >= BEAT_MS) this.ping();
    }
  }

  /** The clock of the machine was set back: nothing is to be waited for until it shows the same time again. */
  private setBack(by: number): void {
    this.heard -= by;
    this.began -= by;
    this.asked -= by;
    if (this.deadline) this.deadline -= by;
  }

  /** Makes sure, now, that the server is still there: the page was away, or the network has come back. */
  check(): void {
    if (this.closed) return;
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.ping();
      this.deadline ||= Date.now() + ANSWER_MS;
    } else if (this.socket?.readyState !== WebSocket.CONNECTING || Date.now() - this.began > ANSWER_MS) this.open();
  }

  /** A player who does not see the window is notified elsewhere that it is their turn. */
  private ping(): void {
    this.send(document.hidden ? { type: "ping", hidden: true } : { type: "ping" });
  }

  send(message: WindowMessage): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.asked = Date.now();
    this.socket.send(JSON.stringify(message));
  }

  retryNow(): void {
    this.open();
  }

  close(): void {
    this.closed = true;
    clearInterval(this.ticker);
    clearTimeout(this.retry);
    this.drop();
  }
}

/** With `have`, the tag of the view shown, the server tells what changed since. */
export const liveUrl = (match: string, seat: string, have: string): string => {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/api/matches/${match}/live?${new URLSearchParams({ seat, have })}`;
};
