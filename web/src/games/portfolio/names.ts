import { codeOf } from "../../lib/counters/symbol.ts";
import type { GameClient } from "../types.ts";

const dark = "#1d1d1b";

const ECHELON: Record<string, string> = { corps: "J", army: "K", front: "L" };

/** The words, colours and symbols of this game. */
export const names = {
  sidc: (u) => codeOf(u.symbol, ECHELON[u.size] ?? "J"),
  badge: (u) => u.mark || (u.symbol === "shock" ? "Sh" : ""),
  nations: {
    DE: { name: "German", letter: "", body: "#b4bcb2", band: "#333d3a", ink: dark },
    RO: { name: "Romanian", letter: "R", body: "#d8c887", band: "#5c4d17", ink: dark },
    HU: { name: "Hungarian", letter: "H", body: "#c3c99a", band: "#4b5223", ink: dark },
    IT: { name: "Italian", letter: "I", body: "#a9c9b4", band: "#235240", ink: dark },
    FI: { name: "Finnish", letter: "F", body: "#dde6ec", band: "#2f5877", ink: dark },
    SU: { name: "Soviet", letter: "", body: "#dba48e", band: "#862b20", ink: dark },
  },
  sides: {
    axis: { name: "Axis", band: "#333d3a", round: false },
    soviet: { name: "Soviet", band: "#862b20", round: true },
  },
  homeCountry: "SU",
} satisfies Partial<GameClient>;
