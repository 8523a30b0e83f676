/** What *War in Russia* adds to what the shared shell knows of any game. */

import type {
  StaticHex as AnyHex,
  StaticUnit as AnyUnit,
  WirAnswers,
  WirCounter,
  WirHex,
  WirObservation,
  WirSupply,
} from "../../lib/api/schema";
import type { Added } from "../../lib/net/types.ts";

declare module "../../lib/net/types.ts" {
  interface StaticHex extends Added<WirHex, AnyHex> {}
  interface StaticUnit extends Added<WirCounter, AnyUnit> {}
  interface Victory extends Partial<WirObservation["victory"]> {}
  interface Supply extends Added<WirSupply, AnySupply> {}
  interface GameAnswers {
    wir: WirAnswers;
  }
}
