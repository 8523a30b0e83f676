import type { GameEvent } from "../../net/types.ts";

/** Where an event happens: where a move ends, or what is attacked; null where it names no hex. */
function placeOf({ data }: GameEvent): string | null {
  if ("destination" in data) return data.destination;
  if ("path" in data) return data.path.at(-1) ?? null;
  if ("hex" in data && data.hex) return data.hex;
  if ("target" in data) return data.target;
  if ("targets" in data) return data.targets.at(-1) ?? null;
  return null;
}

/** Where the first of some events that has a place happens. */
export function placeOfEvents(events: readonly GameEvent[]): string | null {
  for (const event of events) {
    const place = placeOf(event);
    if (place) return place;
  }
  return null;
}
