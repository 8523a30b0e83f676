import { describe, expect, it } from "vitest";
import type { Decision, DecisionOption } from "../src/lib/net/types.ts";
import {
  actingUnits,
  farAndWide,
  indexOptions,
  inPlayFirst,
  leaving,
  primaryOption,
} from "../src/lib/state/table/options.ts";

const option = (action: string, parts: Partial<DecisionOption> = {}): DecisionOption => ({
  action,
  verb: action.split(" ")[0]!,
  units: [],
  hex: null,
  number: null,
  label: action,
  ...parts,
});
const decision = (options: DecisionOption[], mine = true): Decision => ({
  seat: "axis",
  side: "axis",
  auto: false,
  mine,
  prompt: "",
  marked: "",
  rule: "",
  kind: "x",
  options,
  units: [],
  hexes: [],
});

describe("indexing options", () => {
  const index = indexOptions(
    decision([
      option("move 39Pz", { units: ["39Pz"] }),
      option("eliminate 39Pz", { units: ["39Pz"] }),
      option("to N6", { hex: "N6" }),
      option("to N7", { hex: "N7" }),
      option("done"),
    ]),
    [],
    ["eliminate"],
  );

  it("sorts by hex, by unit and by neither", () => {
    expect(index.byHex.get("N6")?.[0]?.action).toBe("to N6");
    expect(index.byUnit.get("39Pz")?.map((o) => o.verb)).toEqual(["move"]);
    expect(index.plain.map((o) => o.action)).toEqual(["done"]);
    expect(index.hexVerb).toBe("to");
    expect(index.unitVerb).toBe("move");
  });

  it("keeps destructive choices away from a plain click but in the list", () => {
    expect(index.destructive.get("39Pz")?.[0]?.action).toBe("eliminate 39Pz");
    expect(index.verbs.map((v) => v.verb)).toContain("eliminate");
    expect(actingUnits(index)).toEqual(["39Pz"]);
  });

  it("lists every option exactly once by verb", () => {
    expect(index.verbs.flatMap((v) => v.options)).toHaveLength(5);
  });

  it("never stands for an answer that gives something up", () => {
    const order = ["done", "halt"];
    const lost = option("done", { gives_up: "no attack is announced" });
    expect(primaryOption(indexOptions(decision([lost])), order)).toBeNull();
    expect(primaryOption(indexOptions(decision([lost, option("halt")])), order)?.verb).toBe("halt");
    expect(leaving(indexOptions(decision([option("halt", { gives_up: "it stays" })])), ["halt"])).toBeUndefined();
    expect(leaving(indexOptions(decision([option("halt")])), ["halt"])?.verb).toBe("halt");
  });

  it("offers nothing of another seat's decision", () => {
    expect(indexOptions(decision([option("done")], false)).verbs).toEqual([]);
    expect(indexOptions(null).plain).toEqual([]);
  });

  it("lets a planned attack be chosen at its hexes", () => {
    const attacks = [{ n: 2, targets: ["S4", "S5"], units: ["24Pz"], odds: null, state: "announced" }];
    const resolving = indexOptions(
      decision([option("resolve 2", { attack: 2 }), option("cancel 2", { attack: 2 })]),
      attacks,
    );
    expect(resolving.byHex.get("S5")?.map((o) => o.action)).toEqual(["resolve 2", "cancel 2"]);
  });
});

describe("the big button", () => {
  it("is the first verb of the order that is offered once", () => {
    const index = indexOptions(
      decision([
        option("resolve 1", { number: 1 }),
        option("resolve 2", { number: 2 }),
        option("halt"),
        option("done"),
      ]),
    );
    expect(primaryOption(index, ["resolve", "done", "halt"])?.action).toBe("done");
  });

  it("is the only option if there is but one", () => {
    expect(primaryOption(indexOptions(decision([option("cast")])), [])?.action).toBe("cast");
    expect(primaryOption(indexOptions(decision([option("back"), option("to N6", { hex: "N6" })])), [])).toBeNull();
  });
});

describe("options about places outside the part in play", () => {
  it("are not marked on the overview", () => {
    const index = indexOptions(
      decision([option("dismantle 1814", { hex: "1814" }), option("build 1722", { hex: "1722" })]),
    );
    const hexes = new Map([
      ["1814", { in_play: false }],
      ["1722", {}],
    ]);
    expect(farAndWide(index, hexes)).toEqual(["1722"]);
  });

  it("come last, none of them left out", () => {
    const hexes = new Map([
      ["0302", { in_play: false }],
      ["1814", {}],
    ]);
    const options = ["dismantle 0302", "dismantle 1814", "done"].map((action) =>
      option(action, { hex: action.split(" ")[1] ?? null }),
    );
    expect(inPlayFirst(options, hexes).map((o) => o.action)).toEqual(["dismantle 1814", "done", "dismantle 0302"]);
  });
});
