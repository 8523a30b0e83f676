import { describe, expect, it, vi } from "vitest";
import type { Advice } from "../src/lib/analysis/advice.svelte.ts";
import { doFirst, followSteps } from "../src/lib/analysis/following.ts";
import type { Step } from "../src/lib/analysis/types.ts";
import type { Table } from "../src/lib/state/table/table.svelte.ts";

vi.mock("../src/lib/state/prefs.svelte.ts", () => ({ prefs: { stepTime: 0 } }));

const step = (line: string): Step => ({ line, targets: [], path: [], origins: [], units: [] }) as unknown as Step;

describe("a plan that is carried out in one go", () => {
  it("gives every order, also those that are written alike", async () => {
    const steps = [step("depot 1814"), step("skip"), step("skip"), step("skip")];
    const given: string[] = [];
    const advice = {
      following: true,
      current: { steps },
      canOrder: (s: Step) => s === advice.current.steps[0],
      point: () => undefined,
      follow: (line: string) => {
        given.push(line);
        advice.current = { steps: advice.current.steps.slice(1) };
        return Promise.resolve(true);
      },
    };
    const said: string[] = [];
    const table = { match: { say: (_: string, text: string) => said.push(text), notice: null } };
    await followSteps(table as unknown as Table, advice as unknown as Advice, steps);
    expect(given).toEqual(["depot 1814", "skip", "skip", "skip"]);
    expect(said).toEqual(["4 orders given."]);
  });
});

describe("the first step of a hint", () => {
  const table = { send: () => Promise.resolve(true) } as unknown as Table;
  const hint = (...steps: Step[]) => ({
    begin: { line: "", text: "To T17" },
    current: { action: "to T17", steps },
    follow: vi.fn(),
    close: vi.fn(),
  });

  it("puts a hint away that was no more than an answer", async () => {
    const advice = hint(step(""));
    await doFirst(table, advice as unknown as Advice);
    expect(advice.close).toHaveBeenCalledOnce();
  });

  it("leaves a plan open that has more to say", async () => {
    const advice = hint(step(""), step("move 39Pz Q14"));
    await doFirst(table, advice as unknown as Advice);
    expect(advice.close).not.toHaveBeenCalled();
  });
});
