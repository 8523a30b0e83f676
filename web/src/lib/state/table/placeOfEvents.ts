import type { GameEvent } from "../../net/types.ts";

const text = (value: unknown): string | null =>
  typeof value === "string" ? value : Array.isArray(value) ? text(value.at(-1)) : null;

/** Where the first of some events that has a place happens: where a move ends, or what is attacked. */
export function placeOfEvents(events: readonly GameEvent[]): string | null {
  for (const event of events) {
    const data: Readonly<Record<string, unknown>> = { ...event.data };
    const place =
      text(data["destination"]) ??
      text(data["path"]) ??
      text(data["hex"]) ??
      text(data["target"]) ??
      text(data["targets"]);
    if (place) return place;
  }
  return null;
}
