import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { broken, noteDigest, noteOf, noteShare } from "../src/lib/dice/notes.ts";
import { api } from "../src/lib/net/api.ts";
import { hearOfStore, placeOf, STORE_HEADER } from "../src/lib/net/store.ts";
import type { DiceInfo } from "../src/lib/net/types.ts";
import { allKeys, forget, keep, keepLinks, keysOf, linksOf, remember } from "../src/lib/state/match/keys.ts";
import { learned, noteLearned } from "../src/lib/state/lessons.ts";
import { acceptLink, openMatch } from "../src/lib/state/match/opening.ts";
import { firstTime } from "../src/lib/state/match/firstTime.ts";
import { parseRoute } from "../src/lib/state/route.ts";

const [A, B] = ["a".repeat(16), "b".repeat(16)];
const kept = new Map<string, string>();
const read = (name: string): unknown => JSON.parse(kept.get(name) ?? "null");
const dice = (digest: string): DiceInfo => ({ sources: [{ digest }] }) as unknown as DiceInfo;

/** A server that opens one seat to one key; the keys it was offered, request by request. */
function server(store: string, fits: Record<string, string>): Record<string, string>[] {
  const offered: Record<string, string>[] = [];
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    const keys = typeof init.body === "string" ? (JSON.parse(init.body) as { keys: Record<string, string> }).keys : {};
    if (init.body) offered.push(keys);
    const good = Object.fromEntries(Object.entries(keys).filter(([seat, key]) => fits[seat] === key));
    const body = JSON.stringify({ keys: good, to_move: null, controllers: {} });
    return Promise.resolve(new Response(body, { headers: { [STORE_HEADER]: store } }));
  });
  return offered;
}

/** What is asked after sitting down is no matter here. */
const open = (id: string): Promise<unknown> =>
  openMatch(id, (_, source) => Promise.resolve(source)).catch(() => undefined);

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
  hearOfStore(A);
});
afterEach(() => vi.unstubAllGlobals());

test("another store's match of the same number takes nothing away", () => {
  remember("7", { soviet: "first" });
  noteShare("7", "share");
  noteDigest("7", "digest");
  keepLinks("7", { axis: "link" });
  hearOfStore(B);
  expect(noteOf("7")).toEqual({ digests: [] });
  expect(broken("7", dice("other"))).toEqual([]);
  expect(linksOf("7")).toEqual({});
  remember("7", { soviet: "second" });
  keep("7", { soviet: "second" });
  hearOfStore(A);
  expect(keysOf("7")).toEqual({ soviet: "first" });
  expect(noteOf("7")).toEqual({ share: "share", digests: ["digest"] });
  expect(broken("7", dice("other"))).toEqual(["digest"]);
});

test("a key of an earlier version moves to its match when it fits, with what was noted of it", async () => {
  kept.set("rasputitsa.keys", '{"7":{"soviet":"old","axis":"void"}}');
  kept.set("rasputitsa.dice", '{"7":{"share":"mine","digests":["d"]}}');
  kept.set("rasputitsa.links", '{"7":{"axis":"link"}}');
  server(A, { soviet: "old" });
  await open("7");
  expect(read("rasputitsa.keys")).toEqual({ "7": { axis: "void" }, [`7@${A}`]: { soviet: "old" } });
  expect(noteOf("7")).toEqual({ share: "mine", digests: ["d"] });
  expect(linksOf("7")).toEqual({ axis: "link" });
  expect(read("rasputitsa.dice")).toEqual({ [`7@${A}`]: { share: "mine", digests: ["d"] } });
});

test("a key of an earlier version that does not fit is not dropped, and accuses nobody", async () => {
  kept.set("rasputitsa.keys", '{"7":{"soviet":"old"}}');
  kept.set("rasputitsa.dice", '{"7":{"digests":["d"]}}');
  server(B, { soviet: "another" });
  await open("7");
  expect(read("rasputitsa.keys")).toEqual({ "7": { soviet: "old" } });
  expect(broken("7", dice("e"))).toEqual([]);
});

test("after a restore, which gives the store a new name, keys and notes are found again", async () => {
  remember("7", { soviet: "mine" });
  noteDigest("7", "promised");
  const offered = server(B, { soviet: "mine" });
  await api.games(); // as any answer does, it names the store
  expect(allKeys()).toEqual({ "7": { soviet: "mine" } });
  await open("7");
  expect(offered).toEqual([{ soviet: "mine" }]);
  expect(read("rasputitsa.keys")).toEqual({ [`7@${B}`]: { soviet: "mine" } });
  expect(broken("7", dice("swapped"))).toEqual(["promised"]);
});

test("a page that was open while the server was started on other data drops no key", async () => {
  remember("7", { soviet: "first" });
  hearOfStore(B);
  remember("7", { soviet: "second" });
  const offered = server(A, { soviet: "first" });
  await open("7");
  expect(offered).toEqual([{ soviet: "second" }, { soviet: "first" }]);
  expect(read("rasputitsa.keys")).toEqual({ [`7@${A}`]: { soviet: "first" }, [`7@${B}`]: { soviet: "second" } });
});

test("a void key gives way to one kept elsewhere", async () => {
  kept.set("rasputitsa.keys", JSON.stringify({ "7": { soviet: "old" }, [`7@${A}`]: { soviet: "void" } }));
  const offered = server(A, { soviet: "old" });
  await open("7");
  expect(offered).toEqual([{ soviet: "void" }, { soviet: "old" }]);
  expect(read("rasputitsa.keys")).toEqual({ [`7@${A}`]: { soviet: "old" } });
});

test("a link that does not fit replaces nothing, of this store or another", async () => {
  kept.set("rasputitsa.keys", JSON.stringify({ "7": { soviet: "old" }, [`7@${A}`]: { soviet: "mine" } }));
  const before = kept.get("rasputitsa.keys");
  server(A, { soviet: "mine" });
  await acceptLink("7", "soviet", "JUNK");
  expect(kept.get("rasputitsa.keys")).toBe(before);
});

test("a match that is forgotten leaves another store's alone", () => {
  remember("7", { soviet: "first" });
  hearOfStore(B);
  remember("7", { soviet: "second" });
  forget("7");
  expect(read("rasputitsa.keys")).toEqual({ [`7@${A}`]: { soviet: "first" } });
});

test("only a name of the usual form is taken for a store's", () => {
  for (const odd of [null, "", "x", "A".repeat(16), "a".repeat(17), "__proto__"]) hearOfStore(odd);
  expect(placeOf("7")).toBe(`7@${A}`);
});

test("the lobby asks for the last 500 matches, those of this store before others of their number", () => {
  for (let n = 1; n <= 600; n++) remember(String(n), { axis: `a${n}` });
  kept.set("rasputitsa.keys", JSON.stringify({ "600": { axis: "old" }, ...(read("rasputitsa.keys") as object) }));
  const asked = allKeys();
  expect(Object.keys(asked)).toHaveLength(500);
  expect(asked["600"]).toEqual({ axis: "a600" });
  expect(asked["100"]).toBeUndefined();
});

test.each(["%", "..%2F..%2Fimport", "7%2Fexport", "seven", "-1", "7 ", "٧", "1e3", ""])(
  "%j is no match, and the page shows the list of games",
  (id) => expect(parseRoute(`#/match/${id}`)).toEqual({ page: "lobby" }),
);

test.each(["%", "..%2F..", "a%20b"])("%j is no game, and the page shows something all the same", (id) => {
  expect(parseRoute(`#/rules/${id}`)).toEqual({ page: "rules", game: "portfolio", paragraph: null });
  expect(parseRoute(`#/new/${id}`)).toEqual({ page: "new", game: "" });
  expect(parseRoute(`#/rules/wir/${id}`)).toMatchObject({ page: "rules", game: "wir" });
});

test("from signing in one goes back to the offer of a seat, and nowhere else", () => {
  const parsed = (hash: string): unknown => parseRoute(`#/account?origin=${encodeURIComponent(hash)}`);
  for (const hash of ["#/invite/a-B_9", "#/find/7/blue"])
    expect(parsed(hash)).toEqual({ page: "account", origin: hash });
  for (const hash of ["//a.example", "https://a.example/#/invite/a", "javascript:alert(1)//#/invite/a", "#/match/7"])
    expect(parsed(hash)).toEqual({ page: "account", origin: "" });
});

test("nothing but numbers and names is put into the path of a request", () => {
  const asked = server(A, {});
  for (const id of ["../import", "..%2fimport", "", ".", "7/export", "7?x", "7#"])
    expect(() => api.sit(id, {})).toThrow("nothing at this address");
  expect(asked).toEqual([]);
});

const strange = [
  "null", "5", "[]", "[null]", '"x"', "true", "{bad", '{"":null}', '{"8":5}', '{"8":[1]}', '{"8":{"axis":5}}',
  '{"x":{"axis":"key"}}', `{"8":{"axis":"${"k".repeat(65)}"}}`, `{"8":{"${"s".repeat(41)}":"key"}}`, '{"__proto__":{"x":1}}',
]; // prettier-ignore

test.each(strange)("what is no key takes no other along: %s", (text) => {
  const whole = text.startsWith('{"');
  const all = whole ? `{"${placeOf("7")}":{"axis":"mine"},${text.slice(1)}` : text;
  for (const name of ["rasputitsa.keys", "rasputitsa.links", "rasputitsa.dice"]) kept.set(name, all);
  const { "8": eight = {}, ...others } = allKeys();
  expect([eight, others]).toEqual([{}, whole ? { "7": { axis: "mine" } } : {}]);
  expect(keysOf("7")).toEqual(whole ? { axis: "mine" } : {});
  expect(linksOf("7")).toEqual(whole ? { axis: "mine" } : {});
  expect(noteOf("7")).toEqual({ digests: [] });
  remember("9", { soviet: "new" });
  noteShare("9", "share");
  expect(keysOf("9")).toEqual({ soviet: "new" });
  expect(noteOf("9").share).toBe("share");
});

test.each(strange)("what is no list or table is passed over: %s", (text) => {
  for (const name of ["rasputitsa.told", "rasputitsa.lessons"]) kept.set(name, text);
  expect([firstTime("7", "news"), firstTime("7", "news")]).toEqual([true, false]);
  expect(learned("8").size).toBe(0);
  noteLearned("8", "first");
  expect([...learned("8")]).toEqual(["first"]);
});
