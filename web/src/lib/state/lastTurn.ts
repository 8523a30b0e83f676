import type { EventKinds } from "./eventKinds.ts";
import type { LogEntry } from "../net/types.ts";

/** What the other side has done since a side's own turn. */
interface Stretch {
  /** The step before it, and the one with which it ended. */
  from: number;
  to: number;
  battles: number;
  /** What was taken and lost, in words. */
  lines: string[];
  /** What the reader's standing orders answered, each with how often. */
  answers: string[];
}

/** The last player-turn of the other side, as far as it has gone; null before its first. */
export function sinceOwnTurn(entries: readonly LogEntry[], side: string, kinds: EventKinds): Stretch | null {
  const events = entries.flatMap((e) => e.events.map((event) => ({ ply: e.ply, event })));
  const phases = events.flatMap(({ event }, at) =>
    event.kind === kinds.phase ? [{ at, own: "side" in event.data && event.data.side === side }] : [],
  );
  const last = phases.findLastIndex((p) => !p.own);
  if (last < 0) return null;
  const first = phases.findLastIndex((p, n) => n < last && p.own) + 1;
  const start = phases[first]!.at;
  const end = phases[last + 1]?.at ?? events.length;
  const shown = events.slice(start, end);
  return {
    from: events[start]!.ply,
    to: shown.at(-1)!.ply + 1,
    battles: shown.filter(({ event }) => kinds.battles.includes(event.kind)).length,
    lines: shown.filter(({ event }) => kinds.losses.includes(event.kind) && event.text).map(({ event }) => event.text),
    answers: counted(
      entries
        .filter((e) => e.standing && e.ply >= events[start]!.ply)
        .map((e) => e.events.find((v) => v.text && v.kind !== kinds.phase)?.text || e.words || "")
        .filter(Boolean),
    ),
  };
}

function counted(answers: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const answer of answers) times.set(answer, (times.get(answer) ?? 0) + 1);
  return [...times].map(([answer, n]) => (n > 1 ? `${answer} (${n} times)` : answer));
}
