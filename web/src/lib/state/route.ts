export type Route =
  | { page: "lobby" }
  | { page: "new"; game: string }
  | { page: "match"; id: string; invitation: { seat: string; key: string } | null }
  | { page: "invite"; token: string }
  | { page: "rules"; game: string; paragraph: string | null }
  | { page: "about" };

/** Whatever stands in an address may be typed by hand, or cut off in the middle. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, a, b] = path.split("/").map(decoded);
  const query = new URLSearchParams(search);
  const game = a && /^[\w-]+$/.test(a) ? a : "";
  if (page === "new") return { page, game };
  if (page === "match" && a && /^\d{1,15}$/.test(a)) {
    const [seat, key] = [query.get("seat"), query.get("key")];
    return { page, id: a, invitation: seat && key ? { seat, key } : null };
  }
  if (page === "invite" && a) return { page, token: a };
  if (page === "rules") return { page, game: game || "portfolio", paragraph: b ?? null };
  if (page === "about") return { page };
  return { page: "lobby" };
}
