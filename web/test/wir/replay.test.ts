import { expect, it, vi } from "vitest";
import { Replay } from "../../src/games/wir/execution/replay.svelte.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";

const prefs = vi.hoisted(() => ({ value: { pace: "instant" } }));
vi.mock("../../src/lib/state/prefs.svelte.ts", () => ({ prefs, STEP_TIMES: {} }));

it("names a speed of the replay where others' moves are shown at once", () => {
  const replay = new Replay({} as Table);
  expect(replay.pace).toBe("fast");
  prefs.value.pace = "battles";
  expect(replay.pace).toBe("battles");
});
