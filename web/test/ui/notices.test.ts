import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Arrivals } from "../../src/lib/state/match/arrivals.svelte.ts";
import { Notices } from "../../src/lib/state/match/notices.svelte.ts";

vi.mock("../../src/lib/state/prefs.svelte.ts", () => ({ prefs: { stepTime: 0 } }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a notice", () => {
  const notices = new Notices("1");
  const arrivals = new Arrivals({ notices, view: { ply: 4 } } as never);
  const shown = (ply: number): void => arrivals.note({ ply, version: ply } as never);

  it("that only informs goes with the next position", () => {
    notices.say("info", "6 orders given.");
    vi.advanceTimersByTime(5000);
    shown(4);
    expect(notices.current?.text).toBe("6 orders given.");
    shown(3);
    expect(notices.current).toBe(null);
  });

  it("stays where it has come with that position", () => {
    notices.say("info", "The program was updated.");
    shown(5);
    expect(notices.current).not.toBe(null);
  });

  it("of an error or a refusal stays until it is put away", () => {
    for (const kind of ["error", "refused"] as const) {
      notices.say(kind, "not possible");
      vi.advanceTimersByTime(5000);
      shown(5);
      expect(notices.current?.kind).toBe(kind);
    }
  });
});
