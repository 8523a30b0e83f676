export type Route =
  | { page: "lobby" }
  | { page: "new"; game: string }
  | { page: "match"; id: string; invitation: { seat: string; key: string } | null }
  | { page: "invite"; token: string }
  | { page: "rules"; game: string; paragraph: string | null }
  | { page: "about" };

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, a, b] = path.split("/").map(decodeURIComponent);
  const query = new URLSearchParams(search);
  if (page === "new") return { page, game: a ?? "" };
  if (page === "match" && a) {
    const [seat, key] = [query.get("seat"), query.get("key")];
    return { page, id: a, invitation: seat && key ? { seat, key } : null };
  }
  if (page === "invite" && a) return { page, token: a };
  if (page === "rules") return { page, game: a || "portfolio", paragraph: b ?? null };
  if (page === "about") return { page };
  return { page: "lobby" };
}
