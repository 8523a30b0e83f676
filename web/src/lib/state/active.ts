import type { LogEntry } from "../net/types.ts";

/** Verbs that only go on with what an earlier one began. */
const GOING_ON = new Set(["to", "with", "also", "without", "at"]);
const TAKING_UP = new Set([
  "move", "retreat", "advance", "displace", "replace", "reinforce", "rail", "sea", "place", "reduce",
]);

/** The units the last steps were about, read back from the log: "move 39Pz", "with 56Pz", "to N6" gives both. */
export function unitsTakenUp(entries: readonly LogEntry[], seat: string | null): string[] {
  const units: string[] = [];
  for (let i = entries.length - 1; i >= 0; i -= 1) {
    const entry = entries[i]!;
    const [verb = "", arg] = entry.action.split(" ");
    if (entry.seat !== seat) return [];
    if (verb === "with" && arg) units.unshift(arg);
    if (TAKING_UP.has(verb)) return arg ? [arg, ...units] : [];
    if (!GOING_ON.has(verb)) return [];
  }
  return [];
}

/** The hexes of the attack being put together: "attack N7", "also N8", read back from the log. */
export function targetsBeingAttacked(entries: readonly LogEntry[], seat: string | null): string[] {
  const targets: string[] = [];
  for (let i = entries.length - 1; i >= 0; i -= 1) {
    const entry = entries[i]!;
    const [verb = "", arg] = entry.action.split(" ");
    if (entry.seat !== seat) return [];
    if (verb === "also" && arg) targets.unshift(arg);
    else if (verb === "attack") return arg ? [arg, ...targets] : [];
    else if (!["with", "without", "amphibious"].includes(verb)) return [];
  }
  return [];
}

/** Units whose names stand in a text: "hex 2 of the retreat of 5. KavKor" is about that one, not about 15. KavKor. */
export function unitsNamed(text: string, units: Iterable<{ id: string; name: string }>): string[] {
  const found: string[] = [];
  for (const { id, name } of units) {
    const at = text.indexOf(name);
    if (at < 0) continue;
    const before = text[at - 1] ?? " ";
    const after = text[at + name.length] ?? " ";
    if (!/[\w.]/.test(before) && !/\w/.test(after)) found.push(id);
  }
  return found;
}
