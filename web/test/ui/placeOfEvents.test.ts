import { describe, expect, it } from "vitest";
import type { GameEvent } from "../../src/lib/net/types.ts";
import { placeOfEvents } from "../../src/lib/state/table/placeOfEvents.ts";

const event = (data: object): GameEvent => ({ kind: "moved", text: "", rule: "", data }) as unknown as GameEvent;

describe("the place that events are about", () => {
  it("is where a move ends, or what is attacked, of the first event that names one", () => {
    expect(placeOfEvents([event({ turn: 3 }), event({ units: ["39Pz"], path: ["N4", "N5"] })])).toBe("N5");
    expect(placeOfEvents([event({ unit: "12", destination: "0821", hex: "0820" })])).toBe("0821");
    expect(placeOfEvents([event({ hex: null, targets: ["V23", "V24"] })])).toBe("V24");
    expect(placeOfEvents([event({ path: [] }), event({ target: "1613" })])).toBe("1613");
    expect(placeOfEvents([event({ turn: 3 })])).toBeNull();
  });
});
