import { api } from "../../net/api.ts";
import type { SeatInfo, StaticGame, View } from "../../net/types.ts";
import { MapModel } from "../../map/model.ts";
import { keep, keysOf, remember } from "./keys.ts";

/** Completes what the server says of map and pieces, by the client of the game. */
export type Complete = (game: string, source: StaticGame) => Promise<StaticGame>;

interface Opened {
  keys: Record<string, string>;
  seat: string;
  view: View;
  map: MapModel;
  seats: SeatInfo[];
}

/** Keeps the key of a link if it opens the seat; a link that does not fit replaces no key. */
export async function acceptLink(id: string, seat: string, key: string): Promise<void> {
  const { keys } = await api.sit(id, { ...keysOf(id), [seat]: key });
  if (keys[seat] === key) remember(id, { [seat]: key });
}

/** Sits down in a match with the keys kept in this browser, and fetches all that does not change. */
export async function openMatch(id: string, complete: Complete): Promise<Opened> {
  const { keys, to_move, controllers } = await api.sit(id, keysOf(id));
  keep(id, keys);
  const seat = firstSeat(Object.keys(keys), to_move, controllers);
  const view = await api.view(id, seat, keys[seat] ?? "");
  const [fixed, games] = await Promise.all([api.fixed(view.game, view.scenario, view.data), api.games()]);
  const known = games.find((g) => g.id === view.game)?.seats;
  const seats = known?.[String(Object.keys(view.controllers).length)] ?? known?.["2"] ?? [];
  return { keys, seat, view, map: new MapModel(await complete(view.game, fixed)), seats };
}

function firstSeat(mine: string[], toMove: string | null, controllers: View["controllers"]): string {
  const human = mine.filter((s) => controllers[s]?.kind !== "bot");
  return (toMove && human.includes(toMove) ? toMove : human[0]) ?? mine[0] ?? "";
}
