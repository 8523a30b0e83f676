import type { View } from "./types.ts";

export type LiveMessage =
  | { type: "view"; view: View }
  | { type: "thinking"; seat: string; done?: number; total?: number; text?: string }
  | { type: "error"; message?: string };

export type LiveState = "connecting" | "open" | "lost";

/** A socket that reconnects by itself, with growing pauses; `onState` tells the banner. */
export class Live {
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private attempts = 0;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly onMessage: (message: LiveMessage) => void,
    private readonly onState: (state: LiveState) => void,
  ) {
    this.open();
  }

  private open(): void {
    if (this.closed) return;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.onState("open");
    };
    socket.onmessage = (event) => {
      try {
        this.onMessage(JSON.parse(String(event.data)) as LiveMessage);
      } catch {
        /* an unreadable message is dropped; the next view repairs it */
      }
    };
    socket.onclose = () => {
      if (this.closed || this.socket !== socket) return;
      this.onState("lost");
      this.attempts += 1;
      const pause = Math.min(15000, 400 * 2 ** Math.min(this.attempts, 6));
      this.timer = setTimeout(() => this.open(), pause);
    };
  }

  retryNow(): void {
    if (this.timer) clearTimeout(this.timer);
    this.socket?.close();
    this.open();
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.socket?.close();
  }
}

export const liveUrl = (match: string, seat: string, key: string): string => {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/api/matches/${match}/live?${new URLSearchParams({ seat, key })}`;
};
