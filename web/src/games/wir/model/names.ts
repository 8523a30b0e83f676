import { withMouse } from "../../../lib/ui/touch.ts";
import type { NationStyle, SideStyle, Tip } from "../../types.ts";

const dark = "#1d1d1b";
export const nations: Readonly<Record<string, NationStyle>> = {
  DE: { name: "Axis", letter: "", body: "#b4bcb2", band: "#333d3a", ink: dark },
  SU: { name: "Soviet", letter: "", body: "#dba48e", band: "#862b20", ink: dark },
};
export const sides: Readonly<Record<string, SideStyle>> = {
  axis: { name: "Axis", band: "#333d3a", round: false },
  soviet: { name: "Soviet", band: "#862b20", round: true },
};
/** A gain or loss in points. */
export const signed = (n: number): string => `${n < 0 ? "−" : "+"}${Math.abs(n)}`;
/** What may be left to the staff: by verb, what the engine is asked about it. */
export const STAFF_ORDERS: Readonly<Record<string, string>> = {
  auto_supply: "supply",
  auto_replace: "replace",
  auto_all: "all",
};
export const tips: Record<string, Tip> = {
  movement: { text: "Choose a group to take it up, or let the staff handle the routine.", sign: "execution" },
  orders: { text: "Choose a lit hex to march, an adjacent enemy to plot an attack.", sign: "plot_steps" },
  depot:
    `Choose a lit hex, and supply from there${withMouse(", or drag the depot there and it supplies at once")}; ` +
    "figures are penalty hexes.",
  adjust: "Use the menus in the panel, or choose a group or a city on the map.",
  transfer: "Choose a unit to send it over.",
  divide: "Then send units over; the rest stays.",
  raise: { text: "Choose the kind of unit, then its strength.", sign: "substitutes" },
  factory: { sign: "new_factory" },
  aircraft: { text: "The list ends with what is left.", sign: "aircraft_moves" },
};
/** Questions whose end is asked twice while groups wait for orders. */
export const asksBeforeEnd = ["movement"];
export const doneNames: Record<string, string> = {
  adjust: "End adjustment",
  movement: "End movement",
  "orders:halt": "Put down",
};
