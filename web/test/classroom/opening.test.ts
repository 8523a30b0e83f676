import { afterEach, expect, it, vi } from "vitest";
import { classes } from "../../src/lib/classroom/calls.ts";
import { taught } from "../../src/lib/classroom/keys.ts";
import { Opening } from "../../src/lib/classroom/opening.svelte.ts";

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => stored.set(name, value),
});
afterEach(() => vi.restoreAllMocks());

it("keeps a class of which not all boards could be set up, and goes on with it", async () => {
  const task = { game: "g", scenario: "s", players: 2 as const, hints: false };
  const opened = vi.spyOn(classes, "open").mockResolvedValue({ code: "M5SW-CQ5Z", key: "secret" });
  const added = vi.spyOn(classes, "addMatch").mockResolvedValue({ id: "1", number: 1 });
  added.mockResolvedValueOnce({ id: "1", number: 1 }).mockRejectedValueOnce(new Error("too many"));
  const opening = new Opening(null);
  await expect(opening.run("9b", task, 3)).rejects.toThrow("too many");
  expect(taught("M5SWCQ5Z")).toEqual({ key: "secret", title: "9b" });
  expect((await opening.run("9b", task, 3)).code).toBe("M5SW-CQ5Z");
  expect(opened).toHaveBeenCalledTimes(1);
  expect(added).toHaveBeenCalledTimes(4);
  await opening.run("9b", task, 2);
  expect(added).toHaveBeenCalledTimes(6);
});
