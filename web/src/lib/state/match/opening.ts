import { account } from "../../account/account.svelte.ts";
import { api } from "../../net/api.ts";
import { placeOf } from "../../net/store.ts";
import type { SeatInfo, StaticGame, View } from "../../net/types.ts";
import { MapModel } from "../../map/model.ts";
import { keep, keysOf, remember } from "./keys.ts";

/** Completes what the server says of map and pieces, by the client of the game. */
export type Complete = (game: string, source: StaticGame) => Promise<StaticGame>;

const NOBODY: Awaited<ReturnType<typeof api.sit>> = { keys: {}, to_move: null, controllers: {} };

interface Opened {
  keys: Record<string, string>;
  seat: string;
  view: View;
  map: MapModel;
  seats: SeatInfo[];
}

/** Sits down with the keys kept in this browser; those that do not fit give way to others kept for the same number. */
async function sitDown(id: string): ReturnType<typeof api.sit> {
  await api.named();
  const refused = new Set<string>();
  for (;;) {
    const [place, offered] = [placeOf(id), keysOf(id, refused)];
    const answer = await api.sit(id, offered);
    if (placeOf(id) !== place) continue; // the server has been started on other data: these were keys to another match
    keep(id, answer.keys);
    const unfit = Object.entries(offered).filter(([seat, key]) => answer.keys[seat] !== key);
    for (const [, key] of unfit) refused.add(key);
    if (!unfit.some(([seat]) => seat in keysOf(id, refused) && !(seat in answer.keys))) return answer;
  }
}

/** Keeps the key of a link if it opens the seat; a link that does not fit replaces no key. */
export async function acceptLink(id: string, seat: string, key: string): Promise<void> {
  await api.named();
  const { keys } = await api.sit(id, { ...keysOf(id), [seat]: key });
  if (keys[seat] === key) remember(id, { [seat]: key });
}

/**
 * Sits down in a match with the keys kept in this browser, and fetches all that does not change. Who only looks on takes
 * no seat, whatever keys there are: nothing is shown that an onlooker may not see.
 */
export async function openMatch(id: string, complete: Complete, lookingOn = false): Promise<Opened> {
  if (lookingOn) await api.named();
  const { keys, to_move, controllers } = lookingOn ? NOBODY : await sitDown(id);
  if (!lookingOn) account.keepHere(id, keys).catch(() => undefined); // the next time that the match is opened tries again
  const seat = firstSeat(Object.keys(keys), to_move, controllers);
  const view = await api.view(id, seat, keys[seat] ?? "");
  const [fixed, games] = await Promise.all([api.fixed(view.game, view.scenario, view.data), api.games()]);
  const known = games.find((g) => g.id === view.game)?.seats;
  const seats = known?.[String(Object.keys(view.controllers).length)] ?? Object.values(known ?? {})[0] ?? [];
  return { keys, seat, view, map: new MapModel(await complete(view.game, fixed)), seats };
}

function firstSeat(mine: string[], toMove: string | null, controllers: View["controllers"]): string {
  const human = mine.filter((s) => controllers[s]?.kind !== "bot");
  return (toMove && human.includes(toMove) ? toMove : human[0]) ?? mine[0] ?? "";
}
