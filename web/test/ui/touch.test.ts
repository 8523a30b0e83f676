import { expect, test, vi } from "vitest";

test("where there is no mouse, tips and help speak of none", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  vi.resetModules();
  const told = await Promise.all([
    import("../../src/games/portfolio/tips.ts"),
    import("../../src/games/portfolio/help.ts"),
    import("../../src/games/wir/model/names.ts"),
    import("../../src/games/wir/table/help.ts"),
  ]);
  const words = JSON.stringify(told.flatMap((part) => Object.entries(part).filter(([name]) => /tips|help/.test(name))));
  expect(words).toContain("With a finger");
  expect(words).not.toMatch(/\bdrag|\bshift\b|\bmouse\b|\bclick/i);
  vi.unstubAllGlobals();
});
