import { placeOf } from "../net/store.ts";

/** Links to the seats of a match are shown once by themselves, for as long as the tab is open. */
const nameOf = (match: string): string => `rasputitsa.invited.${placeOf(match)}`;

export const invitationShown = (match: string): boolean => sessionStorage.getItem(nameOf(match)) !== null;

export const hushInvitation = (match: string): void => sessionStorage.setItem(nameOf(match), "1");
