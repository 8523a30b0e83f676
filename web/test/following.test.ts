import { describe, expect, it, vi } from "vitest";
import type { Advice } from "../src/lib/analysis/advice.svelte.ts";
import { doFirst, followStep, followSteps, unfollow } from "../src/lib/analysis/following.ts";
import { Straying } from "../src/lib/analysis/straying.svelte.ts";
import type { Step } from "../src/lib/analysis/types.ts";
import { OrderLines } from "../src/lib/state/table/orderLines.ts";
import type { Table } from "../src/lib/state/table/table.svelte.ts";

vi.mock("../src/lib/state/prefs.svelte.ts", () => ({ prefs: { stepTime: 0 } }));

const strayed = { keeps: (act: () => Promise<unknown>) => act() };
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

describe("orders of a plan that the engine refuses", () => {
  /** Carries a plan out at a table where some orders are possible only after others. */
  async function said(after: Record<string, string>): Promise<{ given: string[]; said: string[] }> {
    const steps = [step("get 39; step 3"), step("get 36; step 4"), step("get 35; step 1")];
    const given: string[] = [];
    const words: string[] = [];
    const match = { say: (_: string, text: string) => words.push(text), notice: null as object | null };
    const advice = {
      following: true,
      current: { steps },
      canOrder: () => true,
      point: () => undefined,
      follow: (line: string) => {
        const possible = !after[line] || given.includes(after[line]);
        match.notice = possible ? null : { kind: "refused", text: "0826 holds two friendly groups" };
        if (possible) {
          given.push(line);
          advice.current = { steps: advice.current.steps.filter((s) => s.line !== line) };
        }
        return Promise.resolve(possible);
      },
    };
    await followSteps({ match } as unknown as Table, advice as unknown as Advice, steps);
    return { given, said: words };
  }

  it("are tried again once others have made room", async () => {
    const found = await said({ "get 39; step 3": "get 36; step 4", "get 36; step 4": "get 35; step 1" });
    expect(found.given).toEqual(["get 35; step 1", "get 36; step 4", "get 39; step 3"]);
    expect(found.said).toEqual(["3 orders given."]);
  });

  it("stay listed, with the reason", async () => {
    const found = await said({ "get 39; step 3": "never" });
    expect(found.said).toEqual([
      "2 orders given; 1 could not be carried out and stays listed: 0826 holds two friendly groups",
    ]);
  });
});

describe("the first step of a hint", () => {
  const table = { send: () => Promise.resolve(true) } as unknown as Table;
  const hint = (...steps: Step[]) => ({
    begin: { line: "", text: "To T17" },
    current: { action: "to T17", steps },
    follow: vi.fn(),
    strayed,
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

describe("what one press has carried out", () => {
  /** A table at which each order takes some entries, and one that goes no farther back than `floor`. */
  function tableWith(floor: number): Table {
    const match = { seat: "axis", view: { ply: 7, undo_to: floor } };
    const table = {
      match,
      send: (line: string) => {
        match.view = { ...match.view, ply: match.view.ply + line.length };
        table.orderLines.note();
        return Promise.resolve(true);
      },
    } as unknown as Table;
    Object.assign(table, { orderLines: new OrderLines(table) });
    table.orderLines.note();
    return table;
  }
  const build = { ...step("build"), orders: ["ab", "cde"] } as Step;
  const plan = { steps: [build, step("rest")] };

  it("is taken back by one Undo, and stands in the plan again", async () => {
    const table = tableWith(0);
    const advice = { hint: plan, carriedOut: [], pointed: null, strayed } as unknown as Advice;
    await table.orderLines.asOne(() => followStep(table, advice, "build"));
    expect(table.match.view?.ply).toBe(12);
    expect(advice.hint?.steps).toHaveLength(1);
    expect(table.orderLines.undoTo()).toBe(7);
    table.match.view!.ply = 7;
    unfollow(table, advice);
    expect(advice.hint).toBe(plan);
    expect(advice.carriedOut).toEqual([]);
  });

  it("is taken back as far as may be", async () => {
    const table = tableWith(9);
    await table.orderLines.asOne(() => followStep(table, { hint: plan, carriedOut: [], strayed } as never, "build"));
    expect(table.orderLines.undoTo()).toBe(9);
  });

  it("is forgotten once it has been taken back", async () => {
    const table = tableWith(0);
    await table.orderLines.asOne(() => followStep(table, { hint: plan, carriedOut: [], strayed } as never, "build"));
    table.match.view!.ply = 10;
    table.orderLines.cut();
    table.match.view!.ply = 12;
    expect(table.orderLines.undoTo()).toBe(undefined);
  });
});

describe("a hint after other orders", () => {
  const match = { view: { ply: 4 } };
  const straying = new Straying({ match } as unknown as Table);

  it("no longer holds until they are taken back", () => {
    straying.note(4);
    match.view.ply = 5;
    expect(straying.now).toBe(true);
    match.view.ply = 4;
    expect(straying.now).toBe(false);
  });

  it("holds while its own orders are given", async () => {
    await straying.keeps(() => {
      straying.note(match.view.ply);
      match.view.ply += 3;
      return Promise.resolve();
    });
    expect(straying.now).toBe(false);
    straying.note(match.view.ply);
    match.view.ply += 1;
    expect(straying.now).toBe(true);
  });
});
