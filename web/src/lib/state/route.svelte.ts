export type Route =
  | { page: "lobby" }
  | { page: "new"; game: string }
  | { page: "match"; id: string }
  | { page: "rules"; game: string; paragraph: string | null }
  | { page: "about" };

export function parseRoute(hash: string): Route {
  const [page, a, b] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (page === "new") return { page, game: a ?? "" };
  if (page === "match" && a) return { page, id: a };
  if (page === "rules") return { page, game: a || "portfolio", paragraph: b ?? null };
  if (page === "about") return { page };
  return { page: "lobby" };
}

class Router {
  route = $state<Route>(parseRoute(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.route = parseRoute(location.hash)));
  }

  go(hash: string): void {
    location.hash = hash;
  }
}

export const router = new Router();
