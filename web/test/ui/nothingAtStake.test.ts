import { beforeEach, describe, expect, it, vi } from "vitest";
import * as ofPortfolio from "../../src/games/portfolio/verbs.ts";
import type { GameClient } from "../../src/games/types.ts";
import * as ofWir from "../../src/games/wir/model/names.ts";
import { interactions } from "../../src/games/wir/table/interactions.ts";
import type { DecisionOption } from "../../src/lib/net/types.ts";
import { MainButton } from "../../src/lib/state/table/mainButton.svelte.ts";
import { indexOptions } from "../../src/lib/state/table/options.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";

vi.mock("../../src/lib/state/prefs.svelte.ts", () => ({ prefs: {} }));
vi.mock("../../src/lib/analysis/advice.svelte.ts", () => ({ adviceOf: () => ({ current: null, begin: null }) }));
/** Groups of War in Russia that wait for orders. */
const waiting = new Set<string>();
vi.mock("../../src/games/wir/table/tableState.svelte.ts", () => ({
  wirState: ({ match }: Table) => ({
    kind: match.view!.decision!.kind,
    of: (verb: string) => match.view!.decision!.options.filter((o) => o.verb === verb),
    unit: (id: string) => ({ waits: waiting.has(id) }),
  }),
}));

const verbs = ofPortfolio.verbKinds;
const portfolio = { ...ofPortfolio, verbs, primary: ["done"] } as unknown as GameClient;
const wir = { ...ofWir, verbs, primary: ["done"], interactions, destructiveVerbs: [] } as unknown as GameClient;

const chosen: string[] = [];
const option = (verb: string, unit = ""): DecisionOption => ({
  action: [verb, unit].filter(Boolean).join(" "),
  verb,
  units: unit ? [unit] : [],
  hex: null,
  number: null,
  label: verb,
});

/** A table at which a question of a game is asked. */
function tableOf(game: GameClient, kind: string, ...options: DecisionOption[]): Table {
  const decision = { mine: true, kind, options: [...options, option("done")] };
  const match = {
    view: { version: 1, decision },
    queued: 0,
    changed: -1000,
    index: indexOptions(decision as never, [], game.destructiveVerbs),
  };
  const choose = (o: DecisionOption): Promise<void> => Promise.resolve(void chosen.push(o.action));
  return { match, game, say: () => undefined, choose } as unknown as Table;
}

/** How often the main button is pressed until it ends the phase. */
async function presses(table: Table): Promise<number> {
  const button = new MainButton(table);
  for (let n = 1; n < 4; n += 1) {
    await button.press();
    if (chosen.length) return n;
  }
  return Infinity;
}

beforeEach(() => {
  chosen.length = 0;
  waiting.clear();
  vi.spyOn(performance, "now").mockReturnValue(0);
});

describe("the end of a phase is asked about once where something can still be done", () => {
  it.each([
    ["units can move", portfolio, "movement", [option("move", "39Pz")]],
    ["units can be replaced", portfolio, "replacement", [option("replace", "8A")]],
    ["a group waits for orders", wir, "movement", [option("get", "6")]],
  ] as const)("%s", async (_, game, kind, options) => {
    waiting.add("6");
    expect(await presses(tableOf(game, kind, ...options))).toBe(2);
  });
});

describe("and not where nothing is at stake", () => {
  it.each([
    ["no unit can move", portfolio, "movement", []],
    ["units could only be given up", portfolio, "movement", [option("eliminate", "8A"), option("reduce", "LenF")]],
    ["nothing can be replaced", portfolio, "replacement", []],
    ["all units are set up", portfolio, "deployment", [option("lift", "39Pz")]],
    ["groups have their orders and could be given others", wir, "movement", [option("get", "6"), option("get", "7")]],
    ["nothing need be adjusted", wir, "adjust", [option("divide", "6")]],
  ] as const)("%s", async (_, game, kind, options) => {
    expect(await presses(tableOf(game, kind, ...options))).toBe(1);
  });
});
