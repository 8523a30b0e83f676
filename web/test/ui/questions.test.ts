import { describe, expect, it } from "vitest";
import type { GameClient } from "../../src/games/types.ts";
import { answerQuestion } from "../../src/lib/state/table/questions.ts";
import type { Table } from "../../src/lib/state/table/table.svelte.ts";

/** A table with one unit in one hex of a map. */
function tableOf(hex: string, line: string, unit: string, lines?: GameClient["lines"]): Table {
  return {
    game: { lines },
    map: {
      hexes: [
        { id: "edge", line: "0" },
        { id: hex, line },
      ],
      byId: new Map(),
      units: new Map(),
      places: [],
    },
    stacks: new Map([[hex, [{ id: unit }]]]),
  } as unknown as Table;
}
const rows = tableOf("N4", "N", "39Pz");
const columns = tableOf("0821", "08", "12", "column");

describe("questions on the command line", () => {
  it("are explained with a hex, a unit and a line of this map", () => {
    expect(answerQuestion(rows, "help")).toBe(
      "Ask about a hex (? N4), a unit (? 39Pz), a row (? row N), ? options, ? last, ? turn.",
    );
    expect(answerQuestion(columns, "help")).toBe(
      "Ask about a hex (? 0821), a unit (? 12), a column (? column 08), ? options, ? last, ? turn.",
    );
  });

  it("call a line of hexes what the game calls it", () => {
    expect(answerQuestion(rows, "row z")).toBe("Row Z: no units and no places.");
    expect(answerQuestion(columns, "row 18")).toBe("Column 18: no units and no places.");
  });
});
