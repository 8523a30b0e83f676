import { call, get, query, to } from "./api.ts";
import { placeOf } from "./store.ts";
import type { CalendarInfo, CalendarMade } from "./types.ts";

/** A calendar of one's turns, which programs read at a private address. */
export const calendars = {
  look: (id: string, seat: string, key: string) =>
    get<CalendarInfo>(to`/matches/${id}/calendar` + query({ seat }), key),
  join: (id: string, body: { seat: string; key: string; calendar: string }) =>
    call<CalendarMade>("POST", to`/matches/${id}/calendar`, body),
  leave: (id: string, seat: string, key: string) =>
    call<unknown>("POST", to`/matches/${id}/calendar/off`, { seat, key }),
  void: (token: string) => call<unknown>("POST", "/calendar/void", { token }),
};

/** By store: a calendar of another one is not known here. */
const name = (): string => placeOf("rasputitsa.calendar");

/** The token of this browser's calendar; empty where it has none. */
export function ownCalendar(): string {
  try {
    return localStorage.getItem(name()) ?? "";
  } catch {
    return "";
  }
}

export function noteCalendar(token: string): void {
  try {
    if (token) localStorage.setItem(name(), token);
    else localStorage.removeItem(name());
  } catch {
    /* then the next match begins another one */
  }
}

/** Where a calendar program finds it. */
export const addressOf = (token: string): string => `${location.origin}/api/calendar/${token}.ics`;
