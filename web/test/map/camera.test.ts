import { afterEach, describe, expect, it, vi } from "vitest";
import type { MapModel } from "../../src/lib/map/model.ts";
import { Viewport } from "../../src/lib/map/viewport.svelte.ts";

afterEach(() => vi.unstubAllGlobals());

/** A map of 390 by 500 with a strip over its upper 60 pixels. */
function withStrip(): Viewport {
  const map = { getBoundingClientRect: () => ({ left: 0, top: 0 }), closest: () => map };
  const strip = { closest: () => null };
  const elementFromPoint = (x: number, y: number): object | null =>
    x < 0 || y < 0 || x > 390 || y > 500 ? null : y < 60 ? strip : map;
  vi.stubGlobal("document", { getElementById: () => map, elementFromPoint });
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  const viewport = new Viewport(4000, 4000);
  Object.assign(viewport, { width: 390, height: 500, x: 0, y: 0, k: 1 });
  return viewport;
}

it("moves the map where a card lies over half of a counter", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: () => undefined }));
  const { Camera } = await import("../../src/lib/state/table/camera.ts");
  const viewport = withStrip();
  const camera = new Camera(viewport, { byId: new Map([["a", { centre: { x: 200, y: 70 } }]]) } as unknown as MapModel);
  camera.look("a");
  const { y } = viewport.toScreen({ x: 200, y: 70 });
  expect(y - 36).toBeGreaterThanOrEqual(60);
});

describe("after the map was led away", () => {
  const byId = new Map([3000, 3100, 3200, 3300, 3400, 100].map((x, n) => [`${n}`, { centre: { x, y: 2000 } }]));
  const afterwards = async (x: number): Promise<number> => {
    vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: () => undefined }));
    const { Camera } = await import("../../src/lib/state/table/camera.ts");
    const viewport = withStrip();
    const camera = new Camera(viewport, { byId } as unknown as MapModel);
    camera.backTo({ x, y: 2000 }, [...byId.keys(), "gone", null]);
    return viewport.toWorld({ x: viewport.width / 2, y: 0 }).x;
  };

  it("goes back where a fair share of what is asked about is seen", async () => {
    expect(await afterwards(3400)).toBeCloseTo(3400);
  });

  it("goes where most of it is, else", async () => {
    expect(await afterwards(300)).toBeCloseTo(3100);
  });
});
