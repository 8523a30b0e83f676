import { touch, withMouse } from "../../../lib/ui/touch.ts";
import type { Keys } from "../../types.ts";

const ADJUSTING = "While groups are adjusted";
const REPLAYING = "While a week is replayed";
/** What these keys mean passes; the others mean the same all the time. */
export const passing: readonly string[] = [ADJUSTING, REPLAYING];

export const keys: Keys = [
  [
    "As in the original",
    [
      [
        "1 - 6",
        "directions: north, north-east, south-east, south, south-west, north-west; they march, move the " +
          "depot, write the plot, or move the cursor",
      ],
      ["G", "get the group under the cursor"],
      ["N", "next group"],
      ["Q", "quit the group, or take the other one of the stack"],
      ["A", "abort the move"],
      ["P", "plot by pointing or by digits"],
      ["S", "stop: attack without advance; with no plot in hand, the supply scan"],
      ["B", "bombard; in the supply phase: build rail"],
      ["X", "rail move"],
      ["L", "look at the hex"],
      ["T", "terrain: hide the groups"],
    ],
  ],
  [
    "Air strikes",
    [
      ["1 - 6", "fly the cursor to the target"],
      ["B", "bomb the city there"],
      ["G", "attack the groups there"],
      ["A", "start over from the base"],
    ],
  ],
  [
    ADJUSTING,
    [
      ["I", "divide the group under the cursor"],
      ["M", "transfer between the two groups under it"],
      ["B", "build units in the city under it"],
      ["W", "build a factory there"],
      ["1 - 9", "answer a menu by its number"],
      ["Q, A", "go back to the menus"],
    ],
  ],
  [
    REPLAYING,
    [
      ["Space", "pause or go on"],
      ["Esc", "skip to the report, close the report"],
    ],
  ],
  [
    "Read and write",
    [
      ["V", "the position as text"],
      ["J", "the log"],
      ["K", "tables and charts"],
      ["W", "what counters show: strength, what it counts now, fatigue, experience, supply, entrenchment"],
    ],
  ],
];

export const help = [
  {
    title: "A week",
    text:
      "Both sides adjust their groups and build, then each supplies and gives its orders unseen by the " +
      "other. When both have plotted, the week is executed in ten segments, and the map replays it. The " +
      "enemy's groups are seen, not their units.",
  },
  {
    title: touch ? "With a finger" : "With the mouse",
    text:
      `Choose a group to take it up, a lit hex to march there, an adjacent enemy to plot` +
      " an attack, and the panel shows the expected result. **Plot** points out up to two hexes; " +
      "**Stop** holds the group back after the fight, **Bombard** only fires, **Pause** waits for the " +
      "second round." +
      withMouse(
        " Dragging works as well: a group to where it marches or attacks, with Shift to plot the way instead of a march; " +
          "a depot to where it supplies.",
      ),
  },
  {
    title: "Command line",
    text:
      "Orders are written as in the log, several in a line: `get 12; plot 34S`, `get 12; step 2; step 3`, " +
      "`depot 1116; supply`, `transfer 12 13; send 2; halt`. A question begins with `?`: `? 1814` reads a " +
      "hex, `? 12` finds a group, `? column 18` reads a column, `? options` lists what is legal.",
  },
  {
    title: "Signs on counters",
    text:
      "The number above, the strength of all units below (aircraft of air groups). **U** in a ring is " +
      "unsupplied, **M** moved, **N** done; teeth at the foot are levels of entrenchment, a small gun marks " +
      "artillery. Square corners are Axis, round corners Soviet. Railways with ties are German gauge, " +
      "double lines Russian gauge.",
  },
] as const;
