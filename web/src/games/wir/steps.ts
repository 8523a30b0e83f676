import type { MapModel } from "../../lib/map/model.ts";
import type { GameEvent, LogEntry } from "../../lib/net/types.ts";

export interface Step {
  kind: "segment" | "moves" | "fight" | "air" | "other";
  /** The segment of the execution it belongs to. */
  segment: string;
  title: string;
  texts: string[];
  places: ReadonlyMap<string, string | null>;
  arrows: { group: string; from: string; to: string; kind: "move" | "assault" | "bombard" | "strike" }[];
  bursts: { hex: string; odds: number | null }[];
  focus: string | null;
  weight: number;
}

const GONE = new Set(["surrenders", "group_gone", "air_destroyed"]);
const GOES = new Set(["moves", "advances", "retreats"]);
const OPENS: Record<string, Step["kind"]> = { fight: "fight", bombards: "fight", raid: "air" };
/** What only closes the week and is read in the report. */
const AFTER = new Set(["losses", "production", "no_production", "turn", "phase_end"]);

/** The events of an execution as steps to be shown: a segment's moves together, each fight with all that came of it. */
export function buildSteps(
  events: readonly GameEvent[],
  map: MapModel,
  start: ReadonlyMap<string, string | null>,
): Step[] {
  const byIndex = new Map(map.hexes.map((h) => [h.i ?? -1, h.id]));
  const hexOf = (value: unknown, event: GameEvent, place = 0): string | null =>
    (typeof value === "number" ? byIndex.get(value) : undefined) ??
    [...event.text.matchAll(/\{hex:(\d{4})\}/g)][place]?.[1] ??
    null;
  const places = new Map(start);
  const steps: Step[] = [];
  let begun = false;
  let segment = "";
  const open = (kind: Step["kind"], event: GameEvent, weight: number): Step => {
    const step: Step = {
      kind,
      segment,
      title: event.text,
      texts: event.text ? [event.text] : [],
      places: new Map(places),
      arrows: [],
      bursts: [],
      focus: null,
      weight,
    };
    steps.push(step);
    return step;
  };
  for (const event of events) {
    if (event.kind === "segment") {
      begun = true;
      segment = event.text;
    }
    if (!begun) {
      settle(places, event, hexOf);
      continue;
    }
    if (AFTER.has(event.kind)) break;
    const data = Array.isArray(event.data) ? (event.data as unknown[]) : [];
    let step = steps.at(-1);
    if (event.kind === "segment") {
      open("segment", event, 0.7);
      continue;
    }
    if (!step) continue;
    if (GOES.has(event.kind)) {
      const [group, from, to] = [String(data[0]), hexOf(data[1], event, 0), hexOf(data[2], event, 1)];
      if (event.kind === "moves" && step.kind !== "moves") step = open("moves", { ...event, text: step.title }, 1.1);
      if (event.kind !== "moves" && step.kind === "moves") step = open("fight", event, 1.2);
      places.set(group, to);
      if (from && to) step.arrows.push({ group, from, to, kind: "move" });
      if (step.texts.at(-1) !== event.text) step.texts.push(event.text);
      step.focus ??= to;
    } else if (OPENS[event.kind]) {
      const target = hexOf(event.kind === "fight" ? data[0] : data[1], event, 0);
      const attackers = (event.kind === "fight" && Array.isArray(data[1]) ? data[1] : [data[0]]).map(String);
      const before = step;
      step = open(OPENS[event.kind]!, event, event.kind === "fight" ? 1.8 : 1.1);
      // the bombardment before an assault is told with it
      if (before.kind === "other") {
        step.texts.unshift(...before.texts);
        steps.splice(steps.indexOf(before), 1);
      }
      const kind = event.kind === "fight" ? "assault" : event.kind === "raid" ? "strike" : "bombard";
      for (const group of attackers) {
        const from = places.get(group);
        if (from && target) step.arrows.push({ group, from, to: target, kind });
      }
      if (target)
        step.bursts.push({
          hex: target,
          odds: event.kind === "fight" && typeof data[2] === "number" ? data[2] / 1000 : null,
        });
      step.focus = target;
    } else {
      if (event.kind === "blast" && step.kind !== "air" && !step.bursts.some((b) => b.hex === hexOf(data[0], event)))
        step = open("other", event, 0.6);
      else if (event.text) step.texts.push(event.text);
      if (event.kind === "blast") step.focus ??= hexOf(data[0], event);
      if (GONE.has(event.kind)) places.set(String(data[0]), null);
    }
    step.places = new Map(places);
  }
  return steps.filter((s, i) => s.kind !== "segment" || steps[i + 1]?.kind !== "moves").filter((s) => s.texts.length);
}

/** Where groups of the other side stand when its orders are given, before anything is carried out. */
function settle(
  places: Map<string, string | null>,
  event: GameEvent,
  hexOf: (value: unknown, event: GameEvent, place?: number) => string | null,
): void {
  const data = Array.isArray(event.data) ? (event.data as unknown[]) : [];
  if (event.kind === "redeployed") places.set(String(data[0]), hexOf(data[2], event, 1));
  else if (event.kind === "appeared") places.set(String(data[0]), hexOf(data[1], event));
  else if (event.kind === "vanished") places.set(String(data[0]), null);
}

/** Lines of a report, grouped by segment. */
export function reportOf(entry: LogEntry): { title: string; lines: GameEvent[] }[] {
  const parts: { title: string; lines: GameEvent[] }[] = [];
  let inside = false;
  for (const event of entry.events) {
    if (event.kind === "segment") {
      inside = true;
      parts.push({ title: event.text, lines: [] });
    } else if (event.kind === "turn") break;
    else if (AFTER.has(event.kind)) {
      if (parts.at(-1)?.title !== "End of the week") parts.push({ title: "End of the week", lines: [] });
      parts.at(-1)!.lines.push(event);
      inside = true;
    } else if (inside && event.text) parts.at(-1)?.lines.push(event);
  }
  return parts.filter((p) => p.lines.length || /First player/.test(p.title));
}
