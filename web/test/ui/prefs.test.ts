import { beforeEach, expect, test, vi } from "vitest";

const KEY = "rasputitsa.prefs";
const stored = new Map<string, string>();

vi.stubGlobal("localStorage", {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
});
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));

/** What a page that is opened now prefers, after these preferences were kept. */
async function after(kept: object): Promise<typeof import("../../src/lib/state/prefs.svelte.ts").prefs> {
  stored.set(KEY, JSON.stringify(kept));
  vi.resetModules();
  return (await import("../../src/lib/state/prefs.svelte.ts")).prefs;
}

beforeEach(() => stored.clear());

test("layers kept under a former name stay on or off", async () => {
  const known = ["weather", "rail", "sketch"];
  expect((await after({ layers: ["weather", "sketch"], known })).on("map_notes")).toBe(true);
  expect((await after({ layers: ["weather"], known })).on("map_notes")).toBe(false);
});

test("layers that came later are shown as they are by default", async () => {
  const prefs = await after({ layers: ["names"], known: ["names", "rail"] });
  expect(["names", "rail", "minimap"].map((layer) => prefs.on(layer))).toEqual([true, false, true]);
});
