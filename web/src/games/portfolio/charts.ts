import type { PortfolioCharts } from "../../lib/api/schema";
import type { StaticGame } from "../../lib/net/types.ts";

/** The charts of this game among those of any. */
export function ownCharts(charts: StaticGame["charts"]): PortfolioCharts {
  if ("crt" in charts) return charts;
  throw new TypeError("charts of another game");
}
