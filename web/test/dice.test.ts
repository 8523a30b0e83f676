import { afterEach, expect, test, vi } from "vitest";
import { checkDice, keptWord, type SavedSource } from "../src/lib/dice/check.ts";
import { broken, newShare, noteDice, noteDigest, noteOf, noteShare } from "../src/lib/dice/notes.ts";
import type { DiceInfo, DiceSource } from "../src/lib/net/types.ts";
import save from "./dice.jsonl?raw";

type Die = [stream: string, value: number, sides: number];
interface Header {
  dice: SavedSource[];
}
interface Entry {
  seat?: string;
  dice?: Die[];
}
const parsed = (): [Header, ...Entry[]] =>
  save
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown) as [Header, ...Entry[]];
const entries = (lines: [Header, ...Entry[]]): Entry[] => lines.slice(1) as Entry[];
const text = (lines: object[]): string => lines.map((line) => JSON.stringify(line)).join("\n");

afterEach(() => vi.unstubAllGlobals());

test("a saved game that the program wrote is confirmed die by die", () => {
  const found = checkDice(save);
  expect(found.wrong).toEqual([]);
  expect(found.unknown).toBe(0);
  expect(found.confirmed).toBe(
    parsed()
      .slice(1)
      .reduce((n, line) => n + (line.dice?.length ?? 0), 0),
  );
  expect(found.rolled.reduce((n, row) => n + row.dice, 0)).toBe(found.confirmed);
  for (const row of found.rolled) if (row.faces) expect(row.faces.reduce((a, b) => a + b, 0)).toBe(row.dice);
});

test("what was changed is found", () => {
  const changes: ((lines: [Header, ...Entry[]]) => void)[] = [
    (lines) => {
      const die = entries(lines).find((l) => l.seat && l.dice)!.dice![0]!;
      die[1] = (die[1] % die[2]) + 1;
    },
    (lines) => {
      lines[0].dice[0]!.seed += "1";
    },
    (lines) => {
      lines[0].dice.at(-1)!.shares[0]![1] = "0".repeat(32);
    },
    (lines) => {
      lines.splice(1 + entries(lines).findIndex((l) => l.seat && l.dice), 1);
    },
    (lines) => {
      for (const source of lines[0].dice) delete source.skip;
    },
  ];
  for (const change of changes) {
    const lines = parsed();
    change(lines);
    expect(checkDice(text(lines)).wrong).not.toEqual([]);
  }
});

test("without the seed nothing is confirmed and nothing is wrong", () => {
  const lines = parsed();
  for (const source of lines[0].dice) {
    delete source.seed;
    delete source.salt;
  }
  const found = checkDice(text(lines));
  expect([found.confirmed, found.wrong]).toEqual([0, []]);
  expect(found.unknown).toBeGreaterThan(0);
});

test("a negative seed in the header of an older game", () => {
  // SeededDice(-3) of the program gives these
  const old = text([
    { seed: -3 },
    {
      seat: "axis",
      dice: [
        ["combat", 2, 6],
        ["combat", 4, 6],
      ],
    },
    { end: 1 },
  ]);
  expect(checkDice(old)).toMatchObject({ confirmed: 2, wrong: [] });
});

test("the digest binds seed and salt", () => {
  const source = parsed()[0].dice[0]!;
  expect(keptWord(source)).toBe(true);
  expect(keptWord({ ...source, salt: "0".repeat(32) })).toBe(false);
});

test("shares are 128 random bits and are noted with the digests that were shown", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (k: string) => kept.get(k) ?? null,
    setItem: (k: string, v: string) => void kept.set(k, v),
  });
  const share = newShare();
  expect(share).toMatch(/^[0-9a-f]{32}$/);
  expect(newShare()).not.toBe(share);
  noteShare("7", share);
  noteDigest("7", "aa");
  noteDigest("7", "aa");
  expect(noteOf("7")).toEqual({ share, digests: ["aa"] });
  expect(noteOf("8")).toEqual({ digests: [] });
});

test("a promised digest that is gone is missed, until it was kept", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (k: string) => kept.get(k) ?? null,
    setItem: (k: string, v: string) => void kept.set(k, v),
  });
  const source: DiceSource = {
    from: 0,
    made: "drawn",
    digest: "aa",
    shares: [{ seat: "axis", share: "1", by: "player" }],
  };
  const info = (digest: string, shares = source.shares): DiceInfo => ({
    digest,
    seed: null,
    made: "drawn",
    awaits: [],
    sources: [{ ...source, digest, shares }],
    sound: true,
    whole: true,
    words: "",
  });
  const both: DiceSource["shares"] = [...source.shares, { seat: "soviet", share: "2", by: "player" }];
  noteDice("7", info("zz"), false);
  expect(noteOf("7").digests).toEqual([]); // alone, nothing is promised to anybody
  noteDice("7", info("aa", both), false);
  expect(broken("7", info("aa", both))).toEqual([]);
  expect(broken("7", info("bb", both))).toEqual(["aa"]);
  noteDice("7", info("bb", both), true);
  expect(noteOf("7").digests).toEqual(["aa"]);
  noteDice("7", info("aa", both), true);
  expect(noteOf("7").digests).toEqual([]);
});
