import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Live, type LiveState } from "../src/lib/net/live.ts";

/** A socket whose other end the test plays. */
class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = FakeSocket.CONNECTING;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: string[] = [];
  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  accept(): void {
    this.readyState = FakeSocket.OPEN;
    this.say({ type: "view", view: {} });
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  end(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

const newest = (): FakeSocket => FakeSocket.made.at(-1)!;
/** Tries come at random intervals: waits until one is under way. */
const untilItTries = (): void => {
  for (let n = 0; n < 200 && !newest().onmessage; n += 1) vi.advanceTimersByTime(50);
};
let states: LiveState[];
let live: Live;
let tag = "";
let key = "";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("document", { hidden: false });
  FakeSocket.made = [];
  states = [];
  tag = key = "";
  live = new Live(
    () => `live?have=${tag}`,
    () => key,
    () => undefined,
    (state) => states.push(state),
  );
});
afterEach(() => {
  live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a live connection", () => {
  test("asks whether the server is there, and stays open as long as it answers", () => {
    newest().accept();
    for (let n = 0; n < 60; n += 1) {
      vi.advanceTimersByTime(1000);
      const pings = newest().sent.length;
      if (pings) newest().say({ type: "pong" });
    }
    expect(newest().sent.length).toBeGreaterThan(15);
    expect(FakeSocket.made.length).toBe(1);
    expect(states).toEqual(["open"]);
  });

  test("tries again with the key of the seat that sits there by then", () => {
    [tag, key] = ["axis", "first"];
    newest().end();
    [tag, key] = ["soviet", "second"];
    untilItTries();
    expect([newest().url, newest().protocols]).toEqual(["live?have=soviet", ["rasputitsa", "key.second"]]);
  });

  test("tells of silence after ten seconds, and tries again all the while", () => {
    newest().accept();
    vi.advanceTimersByTime(9400);
    expect(states).not.toContain("silent");
    vi.advanceTimersByTime(1200);
    expect(states.at(-1)).toBe("silent");
    expect(FakeSocket.made.length).toBeGreaterThan(1);
    const before = FakeSocket.made.length;
    vi.advanceTimersByTime(30_000);
    expect(FakeSocket.made.length).toBeGreaterThan(before + 5);
    expect(states.at(-1)).toBe("silent");
    untilItTries();
    newest().accept();
    expect(states.at(-1)).toBe("open");
  });

  test("is back within two seconds of the network's return, however long that was away", () => {
    newest().accept();
    for (const away of [100_000, 40_123, 7_777, 300_000]) {
      vi.advanceTimersByTime(away);
      expect(states.at(-1)).not.toBe("open");
      let waited = 0;
      // the network is there again: an attempt under way comes through, or else the next one
      for (; states.at(-1) !== "open" && waited < 10_000; waited += 50) {
        if (newest().readyState === FakeSocket.CONNECTING) newest().accept();
        else vi.advanceTimersByTime(50);
      }
      expect(waited).toBeLessThan(away < 120_000 ? 1500 : 9000);
    }
  });

  test("after a close waits a little longer each time, and never the same", () => {
    newest().accept();
    const times: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      newest().end();
      const made = FakeSocket.made.length;
      let waited = 0;
      for (; FakeSocket.made.length === made && waited < 20_000; waited += 10) vi.advanceTimersByTime(10);
      times.push(waited);
    }
    expect(times[0]).toBeLessThan(300);
    expect(Math.max(...times)).toBeLessThan(900);
    expect(new Set(times).size).toBeGreaterThan(3);
  });

  test("names the view at hand when it comes back", () => {
    newest().accept();
    tag = "t7";
    newest().end();
    vi.advanceTimersByTime(1000);
    expect(newest().url).toBe("live?have=t7");
  });

  test("of a page that wakes up, gives up a connection that does not answer at once", () => {
    newest().accept();
    const first = newest();
    live.check();
    vi.advanceTimersByTime(1000);
    first.say({ type: "pong" });
    vi.advanceTimersByTime(3000);
    expect(newest()).toBe(first);
    live.check();
    vi.advanceTimersByTime(2500);
    expect(newest()).not.toBe(first);
  });

  test("asks for the whole view when it cannot read a message", () => {
    newest().accept();
    newest().onmessage?.({ data: "{" });
    expect(newest().sent).toContain('{"type":"view"}');
  });

  test("tells whether anybody sees the page", () => {
    newest().accept();
    vi.advanceTimersByTime(3500);
    expect(newest().sent.at(-1)).toBe('{"type":"ping"}');
    newest().say({ type: "pong" });
    vi.stubGlobal("document", { hidden: true });
    vi.advanceTimersByTime(3500);
    expect(newest().sent.at(-1)).toBe('{"type":"ping","hidden":true}');
  });
});
