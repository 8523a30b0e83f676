import { expect, test } from "vitest";
import { Forms } from "../src/lib/terms/find.ts";
import { inline } from "../src/lib/ui/markup.ts";

test("stress, orders and paragraphs stand by themselves", () => {
  expect(inline("Take **Kiev** ({rule:IV.Axis}), plot `34` at 5.3 or (7.7).")).toEqual([
    { kind: "text", text: "Take " },
    { kind: "strong", text: "Kiev" },
    { kind: "text", text: " (" },
    { kind: "rule", text: "IV.Axis" },
    { kind: "text", text: "), plot " },
    { kind: "code", text: "34" },
    { kind: "text", text: " at 5.3 or (7.7)." },
  ]);
});

test("terms are found as whole words, the longest first, and at the beginning of a sentence", () => {
  const forms = new Forms(["zone of control", "zone", "stack", "ZOC", "No Retreat!", "x"]);
  const found = (text: string): string[] => forms.in(text).map(({ from, to }) => text.slice(from, to));
  expect(found("Zone of control (ZOC), zones, a zone. Stacking a stack: the stack's way.")).toEqual([
    "Zone of control",
    "ZOC",
    "zone",
    "stack",
    "stack",
  ]);
  expect(found("zoc, x, No Retreat! and no retreat!")).toEqual(["No Retreat!"]);
  expect(found("anti-stack, stack-up, \u00fczone")).toEqual(["stack", "stack"]);
  expect(new Forms([]).in("a stack")).toEqual([]);
});
