import type { Component } from "svelte";
import type { StaticUnit, View } from "../lib/net/types.ts";
import type { Table } from "../lib/state/table.svelte.ts";

export interface NationStyle { name: string; letter: string; body: string; band: string; ink: string }
export interface SideStyle { name: string; band: string; round: boolean }

/** What one game tells the shared shell: names, symbols, colours and its own panels. No rules. */
export interface GameClient {
  id: string;
  sidc(unit: StaticUnit): string;
  badge(unit: StaticUnit): string;
  nations: Readonly<Record<string, NationStyle>>;
  sides: Readonly<Record<string, SideStyle>>;
  typeNames: Readonly<Record<string, string>>;
  sizeNames: Readonly<Record<string, string>>;
  verbNames: Readonly<Record<string, string>>;
  terrainNames: Readonly<Record<string, string>>;
  sideNames: Readonly<Record<string, string>>;
  /** Combat results in a few words. */
  resultNames: Readonly<Record<string, string>>;
  countryNames: Readonly<Record<string, string>>;
  /** Verbs that end or confirm a step, most natural first; the first one offered is the big button. */
  primary: readonly string[];
  /** Verbs that leave a sub-step so that another unit can be taken up. */
  leave: readonly string[];
  /** What to do with the hands, by decision kind; shown below the question. */
  tips: Readonly<Record<string, string>>;
  /** "Done" in words, by decision kind. */
  doneNames: Readonly<Record<string, string>>;
  /** Verbs that give a unit up: asked twice, never a plain click. */
  grave: readonly string[];
  /** Decision kinds whose end is asked twice while units can still act. */
  asksBeforeEnd: readonly string[];
  turnTrack(view: View, charts: Record<string, unknown>): { number: number; label: string; weather: string; here: boolean }[];
  panels: readonly { id: string; title: string; component: Component<{ table: Table }> }[];
}
