import type { MatchSummary } from "../net/types.ts";

/** The seats of a match that are played from here. */
export const ownSeats = (m: MatchSummary): string[] => (m.mine?.length ? m.mine : (m.owned ?? []));

/** Whether one of one's own seats is asked. */
export const isMyTurn = (m: MatchSummary): boolean =>
  !m.over && m.to_move !== null && ownSeats(m).includes(m.to_move) && m.controllers?.[m.to_move]?.kind !== "bot";

/** Whether others wait for one's answer to a rematch. */
const isAsked = (m: MatchSummary): boolean => Boolean(m.rematch);

/** Whether another person, who has come, plays with; nobody waits in a game against the computer. */
export const hasCompany = (m: MatchSummary): boolean =>
  Object.entries(m.controllers ?? {}).some(
    ([seat, player]) => player.kind !== "bot" && !ownSeats(m).includes(seat) && !m.waiting?.includes(seat),
  );

/** Whether other people wait for one's own answer. */
export const waitsForMe = (m: MatchSummary): boolean => isAsked(m) || (isMyTurn(m) && hasCompany(m));

const rank = (m: MatchSummary): number => (waitsForMe(m) ? 0 : isMyTurn(m) ? 1 : m.over ? 3 : 2);

/** Those first in which it is one's own turn, with people before the computer; those that are over last. */
export const byTurn = (matches: readonly MatchSummary[]): MatchSummary[] =>
  matches.toSorted((a, b) => rank(a) - rank(b) || Number(b.updated) - Number(a.updated));

/** The match after the one shown in which it is one's own turn; those in which people wait go before all others. */
export function nextTurn(matches: readonly MatchSummary[], here: string): MatchSummary | null {
  const others = matches
    .filter((m) => m.id !== here && (isMyTurn(m) || isAsked(m)))
    .toSorted((a, b) => Number(a.id) - Number(b.id));
  const waiting = others.filter(waitsForMe);
  const round = waiting.length ? waiting : others;
  return round.find((m) => Number(m.id) > Number(here)) ?? round[0] ?? null;
}
