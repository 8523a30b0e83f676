/** A stand-in for the server while the client is worked on alone: `npm run dev:mock`. Never part of a build. */
import type { IncomingMessage } from "node:http";
import type { Plugin } from "vite";
import { wirAsk, wirScene, wirScenes } from "./wir.ts";
import { wirStatic } from "./wirMap.ts";
import { fixed, map, near, scenes, sceneView } from "./scenes.ts";

const seats = {
  "2": [
    { id: "axis", side: "axis", title: "Axis", named: "the Axis" },
    { id: "soviet", side: "soviet", title: "Soviet Union", named: "the Soviet Union" },
  ],
};

const games = [
  {
    id: "portfolio",
    title: "The Russian Portfolio",
    summary: "June 1941 to April 1942 in turns of 20 days, for two or four players.",
    seats,
    scenarios: [{ id: "june22", title: "22 June 1941", summary: "The historical set-up.", date: "1941-06-22" }],
    options: [
      {
        id: "march",
        title: "Weather of March",
        help: "The track leaves it open.",
        rule: "VI.A",
        default: "snow",
        choices: [
          { id: "snow", title: "Snow" },
          { id: "mud", title: "Mud" },
        ],
      },
    ],
    bots: [{ id: "random", title: "Random", summary: "Any legal move." }],
  },
  {
    id: "wir",
    title: "War in Russia",
    summary: "The whole war in the East in weeks, 1941 to 1944, for two players.",
    seats: { "2": seats["2"] },
    scenarios: [
      { id: "barbarossa", title: "Barbarossa", summary: "22 June 1941 to the end of the war.", date: "22 June 1941" },
    ],
    options: [],
    bots: [],
  },
];

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
}

function ask(args: URLSearchParams, scene: string): unknown {
  const units = sceneView(scene, "axis").units;
  const ids = (args.get("units") ?? "").split(",").filter(Boolean);
  const here = units.find((u) => u.id === ids[0])?.hex ?? "M4";
  switch (args.get("kind")) {
    case "reach": {
      const all = near(here, 7, units);
      return {
        plain: all.filter((h) => h.cost < 6),
        dispersed: all.filter((h) => h.cost >= 6),
        factor: 6,
        bonus: 2,
        left: 6,
        bonus_left: 2,
      };
    }
    case "route":
      return { hexes: [here, args.get("to")], cost: 3, dispersed: false };
    case "why":
      return { legal: false, reason: "An enemy unit stands there.", rule: "XI.A.4" };
    case "odds": {
      const attack = ids.reduce((n, id) => n + (map.units.get(id)?.af ?? 0), 0);
      return {
        attack,
        defence: 4,
        basic: `${Math.max(1, Math.floor(attack / 4))}:1`,
        final: `${Math.max(1, Math.floor(attack / 4)) + 1}:1`,
        columns: [],
        items: [
          ...ids.map((id) => ({
            text: map.units.get(id)?.name ?? id,
            value: map.units.get(id)?.af ?? 0,
            rule: "XIII.B.1",
          })),
          { text: "Defence of 11. Army", value: 4, rule: "XIII.B.2" },
        ],
        shifts: [{ text: "First-turn surprise", value: 1, rule: "XVI.B.1" }],
        chances: [
          { result: "D1", p: 1 / 6 },
          { result: "D4", p: 2 / 6 },
          { result: "DX", p: 1 / 6 },
          { result: "DE", p: 2 / 6 },
        ],
        legal: true,
      };
    }
    case "zoc":
      return {
        hexes: units
          .filter((u) => u.hex && map.units.get(u.id)?.side === args.get("side"))
          .flatMap((u) => map.neighbours(map.byId.get(u.hex!)!).map((h) => h?.id))
          .filter(Boolean),
      };
    case "supply":
      return {
        supplied: map.hexes
          .filter((h) => !h.water && (args.get("side") === "axis" ? h.country !== "SU" : h.country === "SU"))
          .map((h) => h.id),
        rail: [],
        fuel: [],
        unsupplied_units: [],
      };
    case "front":
      return { sides: map.sides.filter((s) => s.kind === "border").map(({ a, b }) => ({ a, b })) };
    case "losses":
      return {
        axis: { on_map: 140, units_on_map: 44, units_lost: [] },
        soviet: { on_map: 150, units_on_map: 47, units_lost: ["3A"] },
      };
    default:
      return {};
  }
}

async function answer(request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? "/", "http://mock");
  const [, , root, id = "", leaf] = url.pathname.split("/");
  const seat = url.searchParams.get("seat") ?? "axis";
  if (root === "games")
    return leaf === "static"
      ? id === "wir"
        ? wirStatic
        : fixed
      : leaf === "rules"
        ? {
            paragraphs: [
              { id: "XI.A", chapter: "XI Operational movement", title: "Moving", text: "Units move one at a time." },
            ],
          }
        : games;
  if (root === "matches" && !id) {
    if (request.method === "POST") return { id: "movement", keys: { axis: "k", soviet: "k" } };
    return [...Object.keys(scenes), "snow", ...wirScenes].map((name) => ({
      id: name,
      title: `Scene: ${name}`,
      game: name.startsWith("wir") ? "wir" : "portfolio",
      scenario: "june22",
      turn_label: "22 Jun 41",
      phase_label: "",
      to_move: name.startsWith("wir") ? "axis" : (sceneView(name, "axis").decision?.side ?? "axis"),
      over: false,
      updated: Date.now(),
      controllers: { axis: { kind: "human" }, soviet: { kind: "human" } },
      keys: { axis: "k", soviet: "k" },
    }));
  }
  if (id.startsWith("wir")) {
    if (leaf === "log") return [];
    if (leaf === "query") return wirAsk(url.searchParams);
    if (leaf === "actions")
      return {
        view: wirScene(String((await bodyOf(request))["action"]).startsWith("get") ? "wir-orders" : id, "axis"),
      };
    return wirScene(id, seat);
  }
  if (leaf === "log") return sceneView(id, seat).last_events;
  if (leaf === "query") return ask(url.searchParams, id);
  if (leaf === "actions")
    return { view: sceneView(String((await bodyOf(request))["action"]).startsWith("move") ? "moving" : id, "axis") };
  return sceneView(id, seat);
}

export const mockServer = (): Plugin => ({
  name: "rasputitsa-mock",
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      if (!request.url?.startsWith("/api/")) return next();
      void answer(request).then((data) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(data));
      });
    });
  },
});
