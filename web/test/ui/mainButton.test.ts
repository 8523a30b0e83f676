import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DecisionOption } from "../../src/lib/net/types.ts";
import { MainButton } from "../../src/lib/state/table/mainButton.svelte.ts";
import { indexOptions } from "../../src/lib/state/table/options.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";

const advice = {
  current: null as { action: string } | null,
  begin: null as object | null,
  older: false,
  start: vi.fn(),
};
vi.mock("../../src/lib/analysis/advice.svelte.ts", () => ({ adviceOf: () => advice }));

const said: string[] = [];
const chosen: string[] = [];
const option = (verb: string, more: Partial<DecisionOption> = {}): DecisionOption => ({
  action: verb,
  verb,
  units: [],
  hex: null,
  number: null,
  label: verb,
  ...more,
});

/** A table that asks for a move; two units can still make one. */
function tableWith(done: DecisionOption): Table {
  const decision = { mine: true, kind: "movement", options: [option("move", { units: ["a"] }), done] };
  const match = {
    view: { version: 1, decision },
    queued: 0,
    changed: -1000,
    index: indexOptions(decision as never),
    say: (_: string, text: string) => said.push(text),
  };
  return {
    match,
    game: { primary: ["done"], verbs: { ends: "done" }, asksBeforeEnd: ["movement"] },
    label: (o: DecisionOption) => o.label,
    say: () => undefined,
    choose: (o: DecisionOption) => Promise.resolve(void chosen.push(o.action)),
  } as unknown as Table;
}

/** A hint is open that begins with an answer. */
function advise(action: string, older = false): void {
  Object.assign(advice, { current: { action }, begin: { line: "", text: action }, older });
}

beforeEach(() => {
  said.length = chosen.length = 0;
  Object.assign(advice, { current: null, begin: null, older: false, start: vi.fn() });
  vi.spyOn(performance, "now").mockReturnValue(0);
});

describe("the main button", () => {
  it("asks once where units can still act", async () => {
    const button = new MainButton(tableWith(option("done")));
    await button.press();
    expect(button.armed).toBe(true);
    expect(chosen).toEqual([]);
    await button.press();
    expect(chosen).toEqual(["done"]);
  });

  it("asks again in another position", async () => {
    const table = tableWith(option("done"));
    const button = new MainButton(table);
    await button.press();
    Object.assign(table.match.view!, { version: 2 });
    expect(button.armed).toBe(false);
    await button.press();
    expect(chosen).toEqual([]);
  });

  it("takes a first press back", async () => {
    const button = new MainButton(tableWith(option("done")));
    expect(button.disarm()).toBe(false);
    await button.press();
    expect(button.disarm()).toBe(true);
    expect(button.armed).toBe(false);
  });

  it("says for all to read why it does not give something up", async () => {
    const button = new MainButton(tableWith(option("done", { label: "End of announcing", gives_up: "no attack" })));
    await button.press();
    expect(chosen).toEqual([]);
    expect(said[0]).toContain("End of announcing: no attack");
  });

  it("does what a hint says that is open", async () => {
    advise("move");
    const button = new MainButton(tableWith(option("done")));
    expect(button.option?.action).toBe("move");
    expect(button.ending).toBe(false);
    await button.press();
    expect(advice.start).toHaveBeenCalledOnce();
    expect(chosen).toEqual([]);
  });

  it("gives nothing up because a hint says so", () => {
    advise("done");
    expect(new MainButton(tableWith(option("done", { gives_up: "no attack" }))).option).toBeNull();
  });

  it("is its own again when the hint is from before the last step", () => {
    advise("move", true);
    expect(new MainButton(tableWith(option("done"))).option?.action).toBe("done");
  });
});
