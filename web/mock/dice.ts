import type { DiceInfo } from "../src/lib/net/types.ts";

/** A match whose dice nobody has promised anything about. */
export const noDice: DiceInfo = {
  digest: "",
  seed: null,
  made: "plain",
  awaits: [],
  sources: [],
  sound: true,
  whole: false,
  words: "",
};
