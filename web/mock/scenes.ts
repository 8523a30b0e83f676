/** Canned positions, one for each kind of question, so that the client can be worked on without the engine. */
import { noDice } from "./dice.ts";
import type { Attack, Decision, DecisionOption, GameEvent, LogEntry, View, ViewUnit } from "../src/lib/net/types.ts";
import { MapModel } from "../src/lib/map/model.ts";
import { setupUnits, staticGame } from "./fixture.ts";

export const fixed = staticGame();
export const map = new MapModel(fixed);
const side = new Map(fixed.units.map((u) => [u.id, u.side]));

type Make = (units: ViewUnit[]) => Partial<View> & { decision: Decision; last_events?: LogEntry[] };

const option = (action: string, label: string): DecisionOption => {
  const [verb = "", ...args] = action.split(" ");
  const out: DecisionOption = { action, verb, units: [], hex: null, number: null, label };
  for (const a of args) {
    if (map.units.has(a)) out.units.push(a);
    else if (map.byId.has(a)) out.hex = a;
    else out.number = Number(a);
  }
  if (out.units.length === 1) [out.unit] = out.units;
  return out;
};
const plain = (verb: string, label: string): DecisionOption => option(verb, label);
const asked = (kind: string, prompt: string, rule: string, options: DecisionOption[], who = "axis"): Decision => ({
  seat: who,
  side: who,
  mine: true,
  prompt,
  marked: prompt,
  rule,
  kind,
  options,
  auto: false,
  units: [...prompt.matchAll(/\{unit:([^}]+)\}/g)].map((m) => m[1]!),
  hexes: [...prompt.matchAll(/\{hex:([^}]+)\}/g)].map((m) => m[1]!),
});
const entry = (ply: number, seat: string, action: string, ...texts: string[]): LogEntry => ({
  ply,
  seat,
  action,
  events: texts.map((text) => ({ kind: action.split(" ")[0] ?? "", text, rule: "", data: {} }) as GameEvent),
  turn: "22 Jun 41",
  phase: "Initial movement",
});
const opening: LogEntry[] = [
  entry(0, "axis", "move 56Pz"),
  entry(1, "axis", "to L5", "{unit:56Pz} moves to {hex:L5} for 2 movement factors and takes control of 2 hexes."),
  entry(2, "axis", "move 4AOK"),
  entry(3, "axis", "to S4", "{unit:4AOK} moves to {hex:S4}."),
];

/** Land within n steps, as a stand-in for what the engine would answer. */
export function near(from: string, n: number, units: ViewUnit[]): { hex: string; cost: number }[] {
  const enemy = new Set(units.filter((u) => u.hex && side.get(u.id) === "soviet").map((u) => u.hex));
  const seen = new Map([[from, 0]]);
  let front = [from];
  for (let cost = 1; cost <= n; cost += 1) {
    const next: string[] = [];
    for (const id of front) {
      for (const h of map.neighbours(map.byId.get(id)!)) {
        if (!h || h.water || seen.has(h.id) || enemy.has(h.id)) continue;
        seen.set(h.id, cost);
        next.push(h.id);
      }
    }
    front = next;
  }
  seen.delete(from);
  return [...seen].map(([hex, cost]) => ({ hex, cost }));
}

const axisReady = (units: ViewUnit[]): string[] =>
  units.filter((u) => u.hex && side.get(u.id) === "axis" && !u.dispersed && !u.spent).map((u) => u.id);
const at = (units: ViewUnit[], id: string): string => units.find((u) => u.id === id)?.hex ?? "";
const phase = (id: string, label: string, rule: string, who = "axis") => ({
  id,
  label,
  rule,
  reserve: null,
  side: who,
});
const attacks: Attack[] = [
  { n: 1, targets: ["N5"], units: ["39Pz", "2Inf", "3PzG"], odds: "5:1", state: "open" },
  { n: 2, targets: ["S4"], units: ["24Pz", "4AOK"], odds: "3:1", state: "open" },
];

export const scenes: Record<string, Make> = {
  movement: (units) => ({
    decision: asked("movement", "Move units, one or one stack at a time, or end the movement.", "XI.A", [
      ...axisReady(units).map((u) => option(`move ${u}`, `Move ${map.units.get(u)?.name}`)),
      plain("done", "End movement"),
    ]),
  }),
  moving: (units) => ({
    decision: asked("moving", "Move {unit:39Pz} hex by hex or at once; halt to leave it where it is.", "XI.B", [
      ...near(at(units, "39Pz"), 7, units).map((t) => option(`to ${t.hex}`, `To ${map.describe(t.hex)}`)),
      option("with 2Inf", "Together with 2. InfKps"),
      plain("halt", "Halt"),
    ]),
    last_events: [...opening, entry(4, "axis", "move 39Pz")],
  }),
  attacks: (units) => ({
    phase: phase("attack", "Initial attacks", "XIII.A"),
    attacks,
    decision: asked("attack", "Choose an enemy hex to attack, or end the allocation.", "XIII.A", [
      ...[...new Set(units.filter((u) => u.hex && side.get(u.id) === "soviet").map((u) => u.hex!))]
        .filter((h) =>
          map
            .neighbours(map.byId.get(h)!)
            .some((n) => n && units.some((u) => u.hex === n.id && side.get(u.id) === "axis")),
        )
        .map((h) => option(`attack ${h}`, `Attack ${map.describe(h)}`)),
      { ...option("withdraw 1", "Cancel planned attack 1"), attack: 1 },
      plain("done", "End the allocation"),
    ]),
  }),
  attack: () => ({
    phase: phase("attack", "Initial attacks", "XIII.A"),
    attacks: [attacks[1]!],
    last_events: [
      entry(0, "axis", "attack N5"),
      entry(1, "axis", "with 39Pz"),
      entry(2, "axis", "with 3PzG"),
      entry(3, "axis", "amphibious"),
    ],
    decision: asked("attack_build", "Choose the attackers of {hex:N5}.", "XIII.A.4", [
      option("without 39Pz", "Leave out 39. PzKps"),
      option("without 3PzG", "Leave out 3. Panzer Group"),
      option("with 2Inf", "Add 2. InfKps"),
      option("with 16AOK", "Add 16. Army"),
      option("with 56Pz", "Add 56. PzKps"),
      option("also N6", "Attack N6 as well"),
      plain("amphibious", "Use the amphibious tanks"),
      plain("ready", "Attack ready"),
      plain("drop", "Drop this attack"),
    ]),
  }),
  retreat: () => ({
    phase: phase("attack", "Initial attacks", "XIII.D"),
    decision: asked(
      "retreat",
      "Choose the first hex of the retreat of {unit:11A}.",
      "XIII.D.1",
      ["M6", "N6", "O6"].map((h) => option(`to ${h}`, `Retreat to ${map.describe(h)}`)),
    ),
    last_events: [
      entry(
        9,
        "axis",
        "resolve 1",
        "Attack 1 on {hex:N5}: 13 against 4, basic odds 3:1, surprise +1, final odds 4:1.",
        "The die shows 3: D4.",
      ),
      entry(10, "axis", "retreat 11A"),
    ],
  }),
  exchange: () => ({
    phase: phase("attack", "Initial attacks", "XIII.C"),
    decision: asked(
      "exchange",
      "The result is X. Choose the units to be exchanged, or decline and retreat.",
      "XIII.C",
      [option("exchange 11A", "Exchange 11. Army"), plain("decline", "Decline"), plain("done", "Done")],
      "soviet",
    ),
  }),
  advance: () => ({
    phase: phase("attack", "Initial attacks", "XIII.E"),
    decision: asked(
      "advance",
      "Advance with {unit:39Pz}: up to 3 hexes.",
      "XIII.E.1",
      ["N5", "N6", "O5"].map((h) => option(`to ${h}`, `Advance to ${map.describe(h)}`)).concat([plain("halt", "Halt")]),
    ),
    last_events: [entry(11, "axis", "advance 39Pz")],
  }),
  replacement: (units) => ({
    phase: phase("replacement", "Replacements and strategic movement", "IX", "soviet"),
    decision: asked(
      "replacement",
      "Bring in replacements, move by rail or sea, or end the phase.",
      "IX.A",
      [
        ...units
          .filter((u) => !u.hex && side.get(u.id) === "soviet")
          .slice(0, 26)
          .map((u) => option(`replace ${u.id}`, `Replace ${map.units.get(u.id)?.name}`)),
        ...["16A", "24A", "28A", "20A"].map((u) => option(`rail ${u}`, `Move ${u} by rail`)),
        plain("siberia", "Call the Siberian Reserve"),
        plain("done", "End the phase"),
      ],
      "soviet",
    ),
  }),
};

export function sceneView(name: string, seat: string): View {
  const units = setupUnits();
  const made = (scenes[name] ?? scenes["movement"]!)(units);
  const german = map.hexes
    .filter((h) => !h.water && ["DE", "RO", "HU", "FI"].includes(h.country ?? ""))
    .map((h) => h.id);
  if (name === "snow") for (const u of units) u.spent = u.id.length % 2 === 0;
  return {
    match: name,
    game: "portfolio",
    scenario: "june22",
    title: `Scene: ${name}`,
    lesson: null,
    options: {},
    data: "",
    rules_changed: null,
    dice: noDice,
    undo_offers: {},
    guide: null,
    goal: null,
    version: 4,
    ply: 4,
    seat,
    turn:
      name === "snow"
        ? {
            number: 10,
            label: "21 Dec 41",
            short: "21 Dec 41",
            weather: "snow",
            weather_title: "Snow",
            last: 15,
            first: 1,
          }
        : {
            number: 1,
            label: "22 Jun 41",
            short: "22 Jun 41",
            weather: "good",
            weather_title: "Good",
            last: 15,
            first: 1,
          },
    phase: phase("movement", "Initial movement", "V.B.1"),
    order: ["axis", "soviet"],
    units,
    control: { axis: german },
    points: { axis: { armor: 0, infantry: 0 }, soviet: { armor: 18, infantry: 31 } },
    victory: { held: [], needed: 6, points: 0 },
    seas: { Baltic: "axis", "Black Sea": "soviet", Azov: "soviet" },
    attacks: [],
    last_events: opening,
    outcome: null,
    can_undo: true,
    undo_to: null,
    controllers: { axis: { kind: "human" }, soviet: { kind: "human" } },
    ...made,
    decision: { ...made.decision, seat },
  };
}
