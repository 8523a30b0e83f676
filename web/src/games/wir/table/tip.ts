import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { withMouse } from "../../../lib/ui/touch.ts";
import type { Tip } from "../../types.ts";
import { wirState } from "./tableState.svelte.ts";

/** While a group is in hand: what a click does now. */
export function tip(table: Table): Tip {
  const wir = wirState(table);
  if (wir.kind !== "orders") return "";
  if (wir.mode === "strike" && wir.modes.includes("strike"))
    return `Choose a lit hex to strike it${withMouse(", or fly there with 1 - 6")}; the panel shows range, escort and interceptors.`;
  if (wir.reach && !wir.modes.length) return "It can be sent nowhere now; put it down.";
  if (wir.mode === "plot")
    return { text: `Choose the hexes one after the other${withMouse(", or press 1 - 6")}.`, sign: "plot_letters" };
  if (wir.mode === "rail") return { text: "Choose a lit hex.", sign: "rail_move" };
  if (wir.inHand && wir.fixed(wir.inHand.id)?.type === "air")
    return { text: "Choose a lit hex to fly there, or put the group down.", sign: "air_missions" };
  return "";
}
