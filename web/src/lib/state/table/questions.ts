import { plainText } from "../marks.ts";
import type { Table } from "./table.svelte.ts";

/** What may be asked, each with an example from this map. */
function help(table: Table): string {
  const hex = table.map.hexes.find((h) => table.stacks.has(h.id)) ?? table.map.hexes[0];
  const unit = hex && table.stacks.get(hex.id)?.[0];
  const line = table.game.lines ?? "row";
  const asked = [
    hex && `a hex (? ${hex.id})`,
    unit && `a unit (? ${unit.id})`,
    hex?.line && `a ${line} (? ${line} ${hex.line})`,
    "? options",
    "? last",
    "? turn",
  ];
  return `Ask about ${asked.filter(Boolean).join(", ")}.`;
}

/** Answers a typed question in one or a few spoken lines: a hex, a unit, a row, the options, the last events. */
export function answerQuestion(table: Table, question: string): string {
  const words = question.trim();
  const lower = words.toLowerCase();
  if (!lower || lower === "help") return help(table);
  if (lower === "options") {
    return (
      table.match.index.verbs
        .map(
          ({ verb, options }) =>
            `${verb}: ${options.length > 12 ? `${options.length} choices` : options.map((o) => o.action).join("; ")}`,
        )
        .join(". ") || "Nothing to decide."
    );
  }
  if (lower === "turn") {
    const v = table.match.shown;
    return v ? table.game.spokenTurn(v) : "";
  }
  if (lower === "last") {
    const events = table.match.log.entries.at(-1)?.events ?? [];
    return events.map((e) => plainText(e.text)).join(" ") || "Nothing yet.";
  }
  const row = /^(?:row|column)\s+(\w+)$/i.exec(words)?.[1]?.toUpperCase();
  if (row) {
    const hexes = table.map.hexes.filter(
      (h) => h.line?.toUpperCase() === row && ((table.stacks.get(h.id)?.length ?? 0) > 0 || h.place),
    );
    return (
      hexes.map((h) => table.tellHex(h.id)).join(". ") ||
      `${table.game.lines === "column" ? "Column" : "Row"} ${row}: no units and no places.`
    );
  }
  const hex = [...table.map.byId.keys()].find((id) => id.toLowerCase() === lower);
  if (hex) {
    table.select(hex);
    const around = table.map
      .neighbours(table.map.byId.get(hex)!)
      .filter((n) => n && (table.stacks.get(n.id)?.length ?? 0) > 0)
      .map((n) => table.tellHex(n!.id));
    return `${table.tellHex(hex)}. Next to it: ${around.join(". ") || "no units"}.`;
  }
  const squash = (s: string): string => s.toLowerCase().replace(/[\s.]/g, "");
  const unit = [...table.map.units.values()].find(
    (u) => squash(u.id) === squash(words) || squash(u.name) === squash(words),
  );
  if (unit) {
    const u = table.match.shown?.units.find((x) => x.id === unit.id);
    if (u?.hex) table.select(u.hex);
    const place = u?.hex ? `at ${table.tellHex(u.hex)}` : (u?.where ?? "not in play");
    return `${u ? table.game.tell(unit, u, table.map.source) : unit.name}, ${place}.`;
  }
  const place = table.map.places.find((p) => p.name.toLowerCase() === lower);
  return place ? table.tellHex(place.hex) : `Nothing here is called ${words}.`;
}
