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

/**
 * What the other side has done in its last phases; null before its first. Where these were quiet it goes back to the
 * last in which it fought, unless the reader's own side has fought since.
 */
export function sinceOwnTurn(entries: readonly LogEntry[], side: string, kinds: EventKinds): Stretch | null {
  const events = entries.flatMap((e) => e.events.map((event) => ({ ply: e.ply, event })));
  const starts = events.flatMap(({ event }, at) =>
    event.kind === kinds.phase ? [{ at, own: "side" in event.data && event.data.side === side }] : [],
  );
  const phases = starts.map(({ at, own }, n) => ({ own, events: events.slice(at, starts[n + 1]?.at) }));
  const fought = (n: number): boolean => phases[n]!.events.some(({ event }) => kinds.battles.includes(event.kind));
  const lost = (n: number): boolean => phases[n]!.events.some(({ event }) => kinds.losses.includes(event.kind));
  const last = phases.findLastIndex((p) => !p.own);
  if (last < 0) return null;
  const eventful = phases.findLastIndex((p, n) => n <= last && (p.own ? fought(n) : fought(n) || lost(n)));
  const reached = eventful >= 0 && !phases[eventful]!.own ? eventful : last;
  const first = phases.findLastIndex((p, n) => n < reached && p.own) + 1;
  const shown = phases.slice(first, last + 1).flatMap((p) => (p.own ? [] : p.events));
  const from = shown[0]!.ply;
  return {
    from,
    to: shown.at(-1)!.ply + 1,
    battles: shown.filter(({ event }) => kinds.battles.includes(event.kind)).length,
    lines: shown.filter(({ event }) => kinds.losses.includes(event.kind) && event.text).map(({ event }) => event.text),
    answers: counted(
      entries
        .filter((e) => e.standing && e.ply >= from)
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
