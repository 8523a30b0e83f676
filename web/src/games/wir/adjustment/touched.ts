import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { sentence } from "../../../lib/state/table/words.ts";
import type { WirTableState } from "../table/tableState.svelte.ts";

/** What is done with groups and cities is listed under Orders: a hex that is touched says so, or why nothing is. */
export async function answerTouch(table: Table, wir: WirTableState, hex: string): Promise<void> {
  const { hints, match } = table;
  hints.clear();
  const groups = table.stacks.get(hex) ?? [];
  const here = new Set(groups.map((u) => u.id));
  const listed = match.index.verbs.flatMap(({ options }) => options);
  if (listed.some((o) => o.hex === hex || here.has(o.unit ?? "") || here.has(o.source ?? ""))) {
    hints.current = { hex, text: "what can be done here is listed under Orders", rule: null, tone: "good" };
    return;
  }
  const group = groups.find((u) => wir.own(u.id)) ?? groups[0];
  const why = await match.ask("why", { action: group ? `divide ${group.id}` : `build ${hex}` }).catch(() => null);
  if (why && !why.legal && why.reason && table.cursor === hex)
    hints.current = { hex, text: sentence(why.reason), rule: why.rule ?? null, tone: "bad" };
}
