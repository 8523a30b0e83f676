// A bot for rasputitsa in JavaScript: it attacks where it may, and else takes any option.
//
//     rasputitsa simulate -n 1 --player "axis=external:node first.js"
//
// It reads one JSON object a line from standard input and writes one a line to standard output.
// What it writes to standard error is shown when it breaks down.

"use strict";

const LIKED = ["ready", "resolve", "advance", "attack", "with"];

let options = [];
let seed = 1;

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// A small generator of its own, so that the same seed plays the same game.
function random(below) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

function choose() {
  for (const verb of LIKED) {
    const fitting = options.filter((option) => option.split(" ")[0] === verb);
    if (fitting.length > 0 && random(4) > 0) {
      return { action: fitting[random(fitting.length)], reasons: [`I like to ${verb}`] };
    }
  }
  return { action: options[random(options.length)], reasons: ["nothing better to do"] };
}

function hear(message) {
  switch (message.type) {
    case "hello":
      say({ type: "hello", protocol: 1, name: "First (JavaScript)" });
      break;
    case "newgame":
      seed = Number(message.seed ?? 1) % 2 ** 32 >>> 0;
      break;
    case "observe":
      options = message.decision.options;
      break;
    case "go":
      say({ type: "bestaction", id: message.id, ...choose() });
      break;
    case "quit":
      process.exit(0);
  }
}

require("node:readline")
  .createInterface({ input: process.stdin, terminal: false })
  .on("line", (line) => hear(JSON.parse(line)));
