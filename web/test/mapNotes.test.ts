import { expect, test } from "vitest";
import { linesOf } from "../src/lib/mapNotes/lines.ts";
import { after, placeOf } from "../src/lib/mapNotes/mapNotes.svelte.ts";

const mark = (at: string, to = "", text = "") => ({ at, to, text, share: "me" as const });

test("a later change to a place counts, and others stay", () => {
  const kept = [mark("A1"), mark("A2", "A3")];
  const changes = [
    { place: "A1>", mark: mark("A1", "", "hold") },
    { place: "A2>A3", mark: null },
    { place: placeOf(mark("A3", "A2")), mark: mark("A3", "A2") },
  ];
  expect(after(kept, changes)).toEqual([mark("A1", "", "hold"), mark("A3", "A2")]);
  expect(after(kept, [])).toEqual(kept);
});

test("a text is broken into lines, and nothing of it is lost", () => {
  for (const text of ["", "short", "hold the Dnieper until the mud, then fall back", "x".repeat(50), "😀".repeat(30)]) {
    const lines = linesOf(text);
    expect(lines.every((l) => [...l].length <= 22)).toBe(true);
    expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
  }
});
