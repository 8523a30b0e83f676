import type { GameEvent, WirEvent } from "../../../lib/api/schema";

/** The events of a match of this game, by their kind. */
export const wirEvents = (events: readonly GameEvent[]): readonly WirEvent[] => events as readonly WirEvent[];
