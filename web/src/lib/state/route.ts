import { DEFAULT_GAME } from "../../games/registry.ts";
import { plainCode } from "../classroom/keys.ts";

export type Route =
  | { page: "lobby" }
  | { page: "new"; game: string }
  | { page: "match"; id: string; invitation: { seat: string; key: string } | null; streaming: boolean }
  | { page: "invite"; token: string }
  | { page: "find" }
  | { page: "teach"; code: string; debrief: boolean }
  | { page: "class"; code: string }
  | { page: "letters"; code: string }
  | { page: "table"; match: string; seat: string }
  | { page: "notices"; token: string }
  | { page: "confirm"; token: string }
  | { page: "rules"; game: string; paragraph: string | null }
  | { page: "guide"; game: string; side: string }
  | { page: "ratings"; game: string }
  | { page: "account"; origin: string }
  | { page: "privacy" }
  | { page: "about" };

/** Whatever stands in an address may be typed by hand, or cut off in the middle. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** The code of a class, in whatever way it was typed. */
const codeOf = (part = ""): string => (/^[\w-]{1,20}$/.test(part) ? plainCode(part) : "");

/** The offer of a seat that somebody signs in for; nothing else is gone to unasked. */
const originOf = (hash: string | null): string => (/^#\/(invite|find)\/[\w/-]+$/.test(hash ?? "") ? hash! : "");

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, a, b] = path.split("/").map(decoded);
  const query = new URLSearchParams(search);
  const game = a && /^[\w-]+$/.test(a) ? a : "";
  if (page === "new") return { page, game };
  if (page === "match" && a && /^(\d{1,15}|letter-[0-9a-f]{12})$/.test(a)) {
    const [seat, key] = [query.get("seat"), query.get("key")];
    const streaming = query.has("stream") && /^\d+$/.test(a);
    return { page, id: a, invitation: seat && key && !streaming ? { seat, key } : null, streaming };
  }
  if (page === "invite" && a) return { page, token: a };
  if (page === "find" && a && b && /^\d{1,15}$/.test(a) && /^\w{1,40}$/.test(b))
    return { page: "table", match: a, seat: b };
  if ((page === "notices" || page === "confirm") && a) return { page, token: a };
  if (page === "letters") return { page, code: a ?? "" };
  if (page === "find") return { page };
  if (page === "teach") return { page, code: codeOf(a), debrief: b === "debrief" };
  if (page === "class") return { page, code: codeOf(a) };
  if (page === "rules") return { page, game: game || DEFAULT_GAME, paragraph: b ?? null };
  if (page === "guide") return { page, game: game || DEFAULT_GAME, side: b ?? "" };
  if (page === "ratings") return { page, game: game || DEFAULT_GAME };
  if (page === "account") return { page, origin: originOf(query.get("origin")) };
  if (page === "about" || page === "privacy") return { page };
  return { page: "lobby" };
}
