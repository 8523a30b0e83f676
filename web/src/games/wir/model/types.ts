import type { View, ViewUnit } from "../../../lib/net/types.ts";

/** What the server says of this game beyond the common shapes. Values hidden from the seat are missing or null. */

export interface Crew {
  n: number;
  label: string;
  name?: string;
  type: string;
  strength: number;
  most: number;
  experience: number;
  fatigue: number;
}
export interface Strike {
  hex: string;
  manner: "bomb" | "ground";
}
export interface WirUnit extends ViewUnit {
  artillery?: number;
  entrench?: number;
  aircraft?: number;
  status?: string;
  plot?: string;
  strike?: Strike | null;
  supplied?: boolean;
  gunned?: boolean;
  steps?: number;
  strength?: number;
  formation?: string;
  crew?: Crew[];
}
export const VALUES = ["population", "industry", "vehicle", "artillery", "aircraft", "supply"] as const;
export type Value = (typeof VALUES)[number];
export type City = { hex: string; owner: string } & Partial<Record<Value, number | null>>;
export interface DepotView {
  id: string;
  hex: string;
  penalty: number;
  relief?: number;
  route?: string[];
}

export interface WirView extends View {
  units: WirUnit[];
  level?: number;
  first?: string | null;
  scan?: Record<string, string>;
  rail?: Record<string, string[]>;
  rail_order?: Record<string, string | null>;
  cities?: City[];
  pools?: Record<string, Record<string, number | null> | null>;
  limits?: Record<string, { rail_moves?: number; air_moves?: number; seas?: string[]; dismantle?: boolean } | null>;
  depot?: DepotView | null;
  selected?: string | null;
  partisans?: { tries: number; percent: number; hexes: number } | null;
  lend?: Record<string, number> | null;
}

export interface Reach {
  plain: { hex: string; cost: number; fatigue?: number }[];
  rail?: string[];
  plot?: string[];
}
export interface Route {
  hexes: string[];
  cost?: number;
  line?: string;
  fatigue?: number;
  reason?: string;
  rule?: string;
}
export interface Item {
  text: string;
  value: string | number;
  rule?: string;
  side?: string;
  group?: string;
  points?: number;
  strength?: number;
  multiple?: number;
}
export interface Preview {
  /** Groups that attack together. */
  units: string[];
  attack?: number | null;
  defence?: number | null;
  odds?: string | number | null;
  items?: Item[];
  modifiers?: Item[];
  retreat?: number | null;
  losses?: { attacker?: number | null; defender?: number | null };
  known?: boolean;
  supposed?: boolean;
  unknown?: string[];
  estimate?: Estimate;
  odds_before?: number | null;
  artillery?: number;
  shelling?: number;
  entrenchment?: number;
  entrenchment_destroyed?: number;
  attacker_fatigue?: number[];
  reason?: string;
  rule?: string;
}
/** How far the odds against hidden groups may be wrong, and what they rest on. */
export interface Estimate {
  likelihood: number;
  best: Bound;
  worst: Bound;
  groups: {
    group: string;
    points: number;
    least: number;
    most: number;
    experience: number;
    fatigue: number;
    works: number;
    why: string;
  }[];
}
interface Bound {
  odds: number | null;
  retreat: number;
}
/** What the staff would do with an automatic order, and what it would leave to the player. */
export interface StaffTold {
  does: string[];
  leaves: string[];
}
export interface Waves {
  waves: string[][];
  relief?: number[];
}
/** What an air strike may come to; chances and effects in percent. */
export interface Outlook {
  target: string;
  distance: number;
  escort_range: number;
  escorted: boolean;
  interceptors: string[];
  flak: number[];
  overcast: number;
  weather: number;
  ground: number | null;
  aircraft: number | null;
  factories: number[];
}
export interface Strikes {
  range: number;
  escort_range: number;
  escort: string[];
  reach: string[];
  outlook?: Outlook;
}
export interface Depots {
  supplied?: string[];
  unsupplied_units?: string[];
  depots?: { id: string; hex: string; hexes?: string[] }[];
}

export const wirView = (view: View | null): WirView | null => view;
export const wirUnit = (unit: Partial<ViewUnit>): Partial<WirUnit> => unit;
