import { PointAt, touch, withMouse } from "../../lib/ui/touch.ts";
import type { Keys } from "../types.ts";

export const keys: Keys = [
  ["On the map", [["G", "centre on the cursor"]]],
  [
    "See",
    [
      ["S", "supply, rail and fuel"],
      ["W", "Arctic Weather Line"],
      ["J", "goal of a lesson: on the map, and read out"],
    ],
  ],
  [
    "Read and write",
    [
      ["T", "the position as text"],
      ["L", "the log"],
    ],
  ],
];

export const help = [
  {
    title: touch ? "With a finger" : "With the mouse",
    text:
      `Choose one of your units, then a lit hex${withMouse("; or drag it there")}. ${PointAt} any hex to ` +
      "see what a move costs, or why it is not possible and by which rule. In the attack phase choose an " +
      "enemy hex, add attackers, watch the odds, then choose **Attack is ready**" +
      `${withMouse("; or click it with Shift to attack with all adjacent units; or drag attackers there")}. ` +
      "Choose a unit in hand to put it down. Every legal choice is also in the list under Orders.",
  },
  {
    title: "Command line",
    text:
      "Moves are written as in the log: `move 39Pz N4-N6`, `attack N7: 39Pz,56Pz`, `done`. A question " +
      "begins with `?`: `? N6` reads a hex, `? 39Pz` finds a unit, `? row N` reads a row, `? options` lists" +
      " what is legal.",
  },
  {
    title: "Signs on counters",
    text:
      "Attack, defence and movement factors below; **S** with a dark corner is Spent, **D** with hatching " +
      "and a broken edge is Dispersed, **H** holds under “No Retreat!”. Square corners are Axis, round " +
      "corners Soviet. Allies carry the letter of their nation.",
  },
] as const;
