import { describe, expect, it } from "vitest";
import { parseCsv } from "../mock/fixture.ts";
import type { Paragraph } from "../src/lib/net/types.ts";
import { plainText, splitMarks } from "../src/lib/state/marks.ts";
import { parseRoute } from "../src/lib/state/route.ts";
import { findParagraphs } from "../src/lib/state/rules.ts";

describe("marks in the log", () => {
  it("splits words from units and hexes", () => {
    expect(splitMarks("{unit:39Pz} enters {hex:N6}.")).toEqual([
      { kind: "unit", id: "39Pz", end: "" },
      { kind: "text", text: " enters " },
      { kind: "hex", id: "N6", end: "." },
    ]);
  });

  it("leaves stray braces alone", () => {
    expect(splitMarks("a {b} {unit:} c")).toEqual([{ kind: "text", text: "a {b} {unit:} c" }]);
  });

  it("reads aloud with names", () => {
    expect(plainText("{unit:39Pz} at {hex:N6}", () => "39. PzKps")).toBe("39. PzKps at N6");
    expect(plainText("to {hex:N6}; on", undefined, () => "N6, Minsk")).toBe("to N6, Minsk; on");
  });
});

describe("looking up a paragraph", () => {
  const all = ["XIII.A", "XIII.D", "XIII.D.4", "XIII.D.4.b", "XIII.D.8"].map((id): Paragraph => ({
    id,
    title: id,
    chapter: "",
    text: "",
    ruling: "",
    options: [],
    code: [],
    sources: "",
  }));

  it("finds it with those below", () => {
    expect(findParagraphs(all, "XIII.D.4").map((p) => p.id)).toEqual(["XIII.D.4", "XIII.D.4.b"]);
  });

  it("falls back to the nearest above", () => {
    expect(findParagraphs(all, "XIII.D.8.c").map((p) => p.id)).toEqual(["XIII.D.8"]);
    expect(findParagraphs(all, "XX")).toEqual([]);
  });

  it("takes several at once", () => {
    expect(findParagraphs(all, "XIII.A, XIII.D.8").map((p) => p.id)).toEqual(["XIII.A", "XIII.D.8"]);
  });
});

describe("addresses", () => {
  it.each([
    ["", { page: "lobby" }],
    ["#/match/12", { page: "match", id: "12" }],
    ["#/rules/portfolio/XI.B%201", { page: "rules", game: "portfolio", paragraph: "XI.B 1" }],
    ["#/match/12?seat=axis&key=a%2Fb", { page: "match", id: "12", invitation: { seat: "axis", key: "a/b" } }],
    ["#/nowhere", { page: "lobby" }],
  ])("reads %s", (hash, route) => {
    expect(parseRoute(hash)).toMatchObject(route);
  });
});

describe("CSV", () => {
  it("keeps commas, quotes and newlines inside quotes", () => {
    expect(parseCsv('a,b\n"x, ""y""","1\n2"\n')).toEqual([{ a: 'x, "y"', b: "1\n2" }]);
  });
});
