import { afterEach, expect, test, vi } from "vitest";
import { api, OfflineError, RefusedError } from "../src/lib/net/api.ts";

const lesson = { game: "duel", lesson: "first" };
const made = { id: "1", keys: {}, invitations: {} };
let ids: string[] = [];

function answers(...bodies: (() => Response)[]): void {
  ids = [];
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    ids.push((init.headers as Record<string, string>)["idempotency-key"] ?? "");
    return new Promise((done) => done(bodies.shift()!()));
  });
}

const lost = (): Response => {
  throw new TypeError("network");
};
const ok = (): Response => new Response(JSON.stringify(made), { status: 201 });
const refused = (status: number) => (): Response =>
  new Response(JSON.stringify({ error: { code: "too_many", message: "please wait" } }), { status });

afterEach(() => vi.unstubAllGlobals());

test("a match whose answer was lost is asked for again under the same id", async () => {
  answers(lost, ok, ok);
  await expect(api.create(lesson)).rejects.toBeInstanceOf(OfflineError);
  expect(await api.create(lesson)).toEqual(made);
  await api.create(lesson);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test("another match, and one after a refusal, has an id of its own", async () => {
  answers(lost, ok, refused(429), ok);
  await expect(api.create(lesson)).rejects.toBeInstanceOf(OfflineError);
  await api.create({ ...lesson, lesson: "second" });
  await expect(api.create({ ...lesson, lesson: "third" })).rejects.toThrow("please wait");
  await api.create({ ...lesson, lesson: "third" });
  expect(new Set(ids).size).toBe(4);
});

test("the server's own 503 gives its reason; a gateway's tells that nobody is there", async () => {
  answers(refused(503), () => new Response("<html>", { status: 503 }));
  await expect(api.games()).rejects.toBeInstanceOf(RefusedError);
  await expect(api.games()).rejects.toBeInstanceOf(OfflineError);
});
