import { expect, test } from "vitest";
import { guidePieces } from "../src/lib/guides/pieces.ts";

test("stress, orders and paragraphs stand by themselves", () => {
  expect(guidePieces("Take **Kiev** (IV.Axis), plot `34` at 5.3 or (7.7).")).toEqual([
    { kind: "text", text: "Take " },
    { kind: "strong", text: "Kiev" },
    { kind: "text", text: " (" },
    { kind: "rule", text: "IV.Axis" },
    { kind: "text", text: "), plot " },
    { kind: "code", text: "34" },
    { kind: "text", text: " at 5.3 or (" },
    { kind: "rule", text: "7.7" },
    { kind: "text", text: ")." },
  ]);
});
