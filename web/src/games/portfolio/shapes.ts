/** What *The Russian Portfolio* adds to what the shared shell knows of any game. */

import type {
  Piece,
  PortfolioAnswers,
  PortfolioCounter,
  PortfolioHex,
  PortfolioObservation,
  PortfolioRail,
  PortfolioRoute,
  PortfolioSupply,
  PortfolioUnit,
  StaticHex as AnyHex,
  StaticUnit as AnyUnit,
} from "../../lib/api/schema";
import type { Added } from "../../lib/net/types.ts";

type Factors = "af" | "df" | "mf";
type Points = PortfolioObservation["victory"];

declare module "../../lib/net/types.ts" {
  interface StaticHex extends Added<PortfolioHex, AnyHex> {}
  /** A counter of another game has noughts for its factors. */
  interface StaticUnit extends Added<Omit<PortfolioCounter, Factors>, AnyUnit>, Pick<PortfolioCounter, Factors> {}
  interface ViewUnit extends Added<PortfolioUnit, Piece> {}
  interface Victory extends Partial<Points> {}
  interface View extends Partial<Pick<PortfolioObservation, "points" | "seas" | "siberia" | "offensive">> {}
  interface Rail extends Partial<PortfolioRail> {}
  interface Route extends Added<PortfolioRoute, AnyRoute> {}
  interface Supply extends Added<PortfolioSupply, AnySupply> {}
  interface GameAnswers {
    portfolio: PortfolioAnswers;
  }
}
