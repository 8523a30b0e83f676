import { api, requestId, type Guest } from "../net/api.ts";
import type { InvitationInfo } from "../net/types.ts";

interface Claimed {
  id: string;
  seat: string;
  key: string;
}

/** A way to a seat: by the token of a link, or from the list of open tables. */
export interface SeatOffer {
  /** What tells it from others in this browser. */
  name: string;
  look: () => Promise<InvitationInfo>;
  claim: (request: string, guest: Guest) => Promise<Claimed>;
  /** Where a player who turns back comes from. */
  back: string;
}

export const byLink = (token: string): SeatOffer => ({
  name: token.slice(0, 12),
  look: () => api.look(token),
  claim: (request, guest) => api.claim(token, request, guest),
  back: "#/",
});

export const byTable = (match: string, seat: string): SeatOffer => ({
  name: `${match}.${seat}`,
  look: () => api.lookAtTable(match, seat),
  claim: (request, guest) => api.takeSeat(match, seat, request, guest),
  back: "#/find",
});

/** The same for one link even if the page is loaded again: a claim whose answer was lost goes out again as it was. */
export function claimId(offer: SeatOffer): string {
  const key = `rasputitsa.claim.${offer.name}`;
  try {
    const id = sessionStorage.getItem(key) ?? requestId();
    sessionStorage.setItem(key, id);
    return id;
  } catch {
    return requestId();
  }
}
