import { blake2b } from "@noble/hashes/blake2.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { DiceSource } from "../net/types.ts";

/** A source of dice as a saved game writes it. */
export type SavedSource = Omit<DiceSource, "shares"> & {
  shares: [seat: string, share: string, by: string][];
  skip?: Record<string, number>;
};

/** The dice of one stream that one seat has caused to be cast; `faces` counts them where they have six sides. */
interface Rolled {
  stream: string;
  seat: string;
  dice: number;
  faces: number[] | null;
}
export interface Checked {
  confirmed: number;
  unknown: number;
  wrong: string[];
  rolled: Rolled[];
}

interface Entry {
  seat: string;
  dice?: [string, number, number?][];
}

const hash = (lines: string[]): Uint8Array => sha256(utf8ToBytes(lines.join("\n")));

/** A whole number as 32 bytes, the highest first, negative ones as their complement. */
function bytesOf(seed: bigint): Uint8Array {
  const hex = BigInt.asUintN(256, seed).toString(16).padStart(64, "0");
  return Uint8Array.from({ length: 32 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

function keyOf(source: SavedSource): Uint8Array | null {
  if (source.seed === undefined) return null;
  if (source.made !== "drawn") return bytesOf(BigInt(source.seed));
  return hash([
    "rasputitsa dice",
    source.salt ?? "",
    source.seed,
    ...source.shares.map(([seat, share]) => `${seat} ${share}`),
  ]);
}

/** Whether the seed is the one whose digest was published; true as long as it is secret. */
export function keptWord(source: SavedSource): boolean {
  if (source.seed === undefined || (source.made === "plain" && !source.digest)) return true;
  const lines = source.salt ? ["rasputitsa digest", source.salt, source.seed] : [source.seed];
  return bytesToHex(hash(lines)) === source.digest;
}

function die(key: Uint8Array, stream: string, number: number, sides: number): number {
  const digest = blake2b(utf8ToBytes(`${stream}:${number}`), { key, dkLen: 8 });
  return Number(BigInt(`0x${bytesToHex(digest)}`) % BigInt(sides)) + 1;
}

/** Every die of a saved game worked out again, by this browser alone. */
export function checkDice(save: string): Checked {
  const [header, ...entries] = save
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line) as unknown) as [{ dice?: SavedSource[]; seed?: number }, ...Entry[]];
  const plain: SavedSource = {
    from: 0,
    made: "plain",
    digest: "",
    seed: String(header.seed ?? 0),
    salt: "",
    shares: [],
  };
  const sources = header.dice?.length ? header.dice : [plain];
  const wrong = sources
    .filter((s) => !keptWord(s))
    .map((s) => `The seed from entry ${s.from + 1} on is not the one whose digest was published.`);
  const numbers = new Map<string, number>();
  const rolled = new Map<string, Rolled>();
  let confirmed = 0,
    unknown = 0;
  let key: Uint8Array | null = null;
  entries.slice(0, -1).forEach((entry, place) => {
    for (const source of sources.filter((s) => s.from === place)) {
      key = keyOf(source);
      if (source.made === "letters") numbers.clear();
      for (const [stream, taken] of Object.entries(source.skip ?? {}))
        numbers.set(stream, (numbers.get(stream) ?? 0) + taken);
    }
    for (const [stream, value, sides] of entry.dice ?? []) {
      const number = numbers.get(stream) ?? 0;
      numbers.set(stream, number + 1);
      count(rolled, stream, entry.seat, value, sides);
      if (!key || !sides) unknown += 1;
      else if (die(key, stream, number, sides) === value) confirmed += 1;
      else wrong.push(`Entry ${place + 1}: the ${stream} die number ${number} does not show ${value}.`);
    }
  });
  return { confirmed, unknown, wrong, rolled: [...rolled.values()] };
}

function count(rolled: Map<string, Rolled>, stream: string, seat: string, value: number, sides?: number): void {
  const name = `${stream} ${seat}`;
  const row = rolled.get(name) ?? { stream, seat, dice: 0, faces: [0, 0, 0, 0, 0, 0] };
  row.dice += 1;
  if (sides !== 6) row.faces = null;
  else if (row.faces) row.faces[value - 1] = (row.faces[value - 1] ?? 0) + 1;
  rolled.set(name, row);
}
