import type {
  GameEvent,
  LogEntry,
  WirAdvancesEvent,
  WirEvent,
  WirMovesEvent,
  WirRetreatsEvent,
} from "../../../lib/api/schema";
import { wirEvents } from "../model/events.ts";

export interface Step {
  kind: "segment" | "moves" | "fight" | "air" | "other";
  /** The segment of the execution it belongs to. */
  segment: string;
  title: string;
  texts: string[];
  places: ReadonlyMap<string, string | null>;
  arrows: { group: string; from: string; to: string; kind: "move" | "assault" | "bombard" | "strike" }[];
  bursts: { hex: string; text: string }[];
  focus: string | null;
  weight: number;
}

/** What only closes the week and is read in the report. */
const AFTER: ReadonlySet<string> = new Set(["losses", "production", "no_production", "turn", "phase_end"]);

/** The events of an execution as steps to be shown: a segment's moves together, each fight with all that came of it. */
export function buildSteps(events: readonly GameEvent[], start: ReadonlyMap<string, string | null>): Step[] {
  return new Builder(start).build(wirEvents(events));
}

/** The step that a replay going by itself shows next: no headings, and if so wished no marches. */
export function nextShown(steps: readonly Step[], from: number, onlyBattles: boolean): number {
  const at = steps.findIndex((s, n) => n >= from && s.kind !== "segment" && !(onlyBattles && s.kind === "moves"));
  return at < 0 ? steps.length : at;
}

class Builder {
  private readonly places: Map<string, string | null>;
  private readonly steps: Step[] = [];
  private segment = "";

  constructor(start: ReadonlyMap<string, string | null>) {
    this.places = new Map(start);
  }

  build(events: readonly WirEvent[]): Step[] {
    let begun = false;
    for (const event of events) {
      if (event.kind === "segment") {
        begun = true;
        this.segment = event.text;
        this.open("segment", event, 0.7);
      } else if (!begun) this.settle(event);
      else if (AFTER.has(event.kind)) break;
      else {
        this.take(event);
        this.steps.at(-1)!.places = new Map(this.places);
      }
    }
    const { steps } = this;
    return steps.filter((s, i) => s.kind !== "segment" || steps[i + 1]?.kind !== "moves").filter((s) => s.texts.length);
  }

  private open(kind: Step["kind"], event: WirEvent, weight: number, title = event.text): Step {
    const step: Step = {
      kind,
      segment: this.segment,
      title,
      texts: title ? [title] : [],
      places: new Map(this.places),
      arrows: [],
      bursts: [],
      focus: null,
      weight,
    };
    this.steps.push(step);
    return step;
  }

  /** Where groups of the other side stand when its orders are given, before anything is carried out. */
  private settle(event: WirEvent): void {
    if (event.kind === "redeployed") this.places.set(event.data.group, event.data.destination);
    else if (event.kind === "appeared") this.places.set(event.data.group, event.data.hex);
    else if (event.kind === "vanished") this.places.set(event.data.group, null);
  }

  private take(event: WirEvent): void {
    switch (event.kind) {
      case "moves":
      case "advances":
      case "retreats":
        return this.go(event);
      case "fight":
        return this.fight(event, "assault", event.data.attackers, event.data.target, event.data.odds_text);
      case "bombards":
        return this.fight(event, "bombard", [event.data.group], event.data.target);
      case "raid":
        return this.fight(event, "strike", [event.data.group], event.data.target);
      case "blast":
        return this.blast(event, event.data.hex);
      case "surrenders":
      case "group_gone":
      case "air_destroyed":
        this.places.set(event.data.group, null);
    }
    if (event.text) this.steps.at(-1)!.texts.push(event.text);
  }

  private go(event: WirMovesEvent | WirAdvancesEvent | WirRetreatsEvent): void {
    let step = this.steps.at(-1)!;
    if (event.kind === "moves" && step.kind !== "moves") step = this.open("moves", event, 1.1, step.title);
    if (event.kind !== "moves" && step.kind === "moves") step = this.open("fight", event, 1.2);
    const { group, origin, destination } = event.data;
    this.places.set(group, destination);
    step.arrows.push({ group, from: origin, to: destination, kind: "move" });
    if (step.texts.at(-1) !== event.text) step.texts.push(event.text);
    step.focus ??= destination;
  }

  private fight(
    event: WirEvent,
    kind: "assault" | "bombard" | "strike",
    attackers: readonly string[],
    target: string,
    odds = "",
  ): void {
    const before = this.steps.at(-1)!;
    const step = this.open(kind === "strike" ? "air" : "fight", event, kind === "assault" ? 1.8 : 1.1);
    // the bombardment before an assault belongs to it
    if (before.kind === "other") {
      step.texts.unshift(...before.texts);
      this.steps.splice(this.steps.indexOf(before), 1);
    }
    for (const group of attackers) {
      const from = this.places.get(group);
      if (from) step.arrows.push({ group, from, to: target, kind });
    }
    step.bursts.push({ hex: target, text: odds });
    step.focus = target;
  }

  private blast(event: WirEvent, hex: string): void {
    let step = this.steps.at(-1)!;
    if (step.kind !== "air" && !step.bursts.some((b) => b.hex === hex)) step = this.open("other", event, 0.6);
    else if (event.text) step.texts.push(event.text);
    step.focus ??= hex;
  }
}

interface Part {
  title: string;
  lines: GameEvent[];
}

/** Lines of a report, grouped by segment. */
export function reportOf(entry: LogEntry): Part[] {
  const parts: Part[] = [];
  let always: Part | null = null;
  let after: Part | null = null;
  for (const event of wirEvents(entry.events)) {
    if (event.kind === "segment") {
      parts.push({ title: event.text, lines: [] });
      if (event.data.segment === "first_player") always = parts.at(-1)!;
    } else if (event.kind === "turn") break;
    else if (AFTER.has(event.kind)) {
      if (!after) parts.push((after = { title: "End of the week", lines: [] }));
      after.lines.push(event);
    } else if (event.text) parts.at(-1)?.lines.push(event);
  }
  return parts.filter((p) => p.lines.length || p === always);
}
