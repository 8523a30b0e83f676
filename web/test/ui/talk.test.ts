import { afterEach, expect, test, vi } from "vitest";
import type { MatchStore } from "../../src/lib/state/match/match.svelte.ts";
import { Talk } from "../../src/lib/talk/talk.svelte.ts";

const words = [
  { number: 1, seat: "blue", private: false, text: "Move!", at: 0, former: false },
  { number: 2, seat: "green", private: false, text: "Good luck!", at: 0, former: false },
];

/** A server that marks what people in some seats say, and the addresses it is asked at. */
function answering(blocked: string[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    const since = Number(/since=(\d+)/.exec(path)?.[1] ?? 0);
    const messages = words.filter((m) => m.number > since).map((m) => ({ ...m, blocked: blocked.includes(m.seat) }));
    return Promise.resolve(new Response(JSON.stringify({ messages }), { status: 200 }));
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

test("when somebody is blocked what they have said before is marked too, and is not unread", async () => {
  const blocked: string[] = [];
  const asked = answering(blocked);
  const talk = new Talk({ id: "1", seat: "red", keys: { red: "key" } } as unknown as MatchStore);
  await talk.load("");
  expect([talk.messages.map((m) => m.blocked), talk.unread]).toEqual([[false, false], 2]);
  blocked.push("blue");
  await talk.load("");
  expect(talk.messages).toHaveLength(2);
  await talk.load("blue");
  expect([talk.messages.map((m) => m.blocked), talk.unread]).toEqual([[true, false], 1]);
  await talk.load();
  expect(talk.messages).toHaveLength(2);
  expect(asked.map((path) => path.includes("since=2"))).toEqual([false, true, false, true]);
});

test("what is folded away is not offered to be hidden, unless it is hidden already", async () => {
  answering(["blue"]);
  const talk = new Talk({ id: "1", seat: "red", keys: { red: "key" } } as unknown as MatchStore);
  await talk.load("blue");
  expect(["red", "blue", "green"].filter((seat) => talk.canMute(seat))).toEqual(["green"]);
  talk.mute("blue", true);
  expect(talk.canMute("blue")).toBe(true);
});

test("however often it is asked for at once, each message is shown once", async () => {
  answering([]);
  const talk = new Talk({ id: "1", seat: "red", keys: { red: "key" } } as unknown as MatchStore);
  await Promise.all([talk.load(), talk.load(), talk.load("")]);
  expect(talk.messages.map((m) => m.number)).toEqual([1, 2]);
});
