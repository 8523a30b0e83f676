/** What *War in Russia* adds to what the shared shell knows of any game. */

import type { StaticHex as AnyHex, WirHex, WirSupply } from "../../lib/api/schema";
import type { Added } from "../../lib/net/types.ts";

declare module "../../lib/net/types.ts" {
  interface StaticHex extends Added<WirHex, AnyHex> {}
  interface Supply extends Added<WirSupply, AnySupply> {}
}
