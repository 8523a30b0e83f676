import { isTable, isText, isTexts, kept } from "./storage.ts";

/** A layer of the map; each game names those it has. */
export type Layer = string;
/** "battles": only what is fought over is shown. */
export type Pace = "slow" | "normal" | "fast" | "battles" | "instant";

interface Stored {
  theme: "auto" | "light" | "dark";
  layers: Layer[];
  /** Layers that existed when these preferences were kept; newer ones begin as they are by default. */
  known: Layer[];
  counterScale: number;
  pace: Pace;
  curtain: "never" | "turn" | "always";
  /** Letters of the interface, in hundredths of the usual size. */
  textScale: number;
  /** How wide the panels next to the map are, in letters; 0 as usual. */
  side: number;
  /** Whether the panels next to the map are folded away. */
  folded: boolean;
  /** Of sounds, from 0, which is off, to 100. */
  volume: number;
  /** "Your turn" is heard although nobody sees the page. */
  turnUnseen: boolean;
  reading: boolean;
  /** Whether terms that the glossary explains are marked. */
  terms: boolean;
  /** How questions that a game asks often are to be put, by game and kind. */
  ways: Record<string, string>;
  /** What the figure on counters says, by game. */
  figures: Record<string, string>;
}

/** Milliseconds a step of others stays on screen. */
export const STEP_TIMES: Readonly<Record<Pace, number>> = {
  slow: 1500,
  normal: 750,
  fast: 280,
  battles: 750,
  instant: 0,
};
const KEY = "rasputitsa.prefs";
/** How wide the panels next to the map may be. */
export const NARROWEST = 17;
export const WIDEST = 48;
const FIRST: Layer[] = ["weather", "reach", "names"];
const USUAL: Layer[] = [...FIRST, "rail", "plots", "depots", "map_notes", "minimap", "trapped"];
/** Layers that had other names when preferences were kept. */
const FORMER_NAMES: Readonly<Record<string, Layer>> = { sketch: "map_notes" };
const DEFAULTS: Stored = {
  theme: "auto",
  layers: USUAL,
  known: USUAL,
  counterScale: 1,
  pace: "normal",
  curtain: "turn",
  textScale: 100,
  side: 0,
  folded: false,
  volume: 0,
  turnUnseen: false,
  reading: false,
  terms: true,
  ways: {},
  figures: {},
};

function load(): Stored {
  const found = kept(KEY);
  const own = Object.entries(isTable(found) ? found : {});
  const sound = Object.fromEntries(own.filter(([name, value]) => sameKind(value, DEFAULTS[name as keyof Stored])));
  const { layers, known = FIRST, ...others } = sound as Partial<Stored>;
  const seen = layers ? named(known) : USUAL;
  return {
    ...DEFAULTS,
    ...others,
    layers: [...named(layers ?? USUAL), ...USUAL.filter((l) => !seen.includes(l))],
    known: USUAL,
  };
}

const named = (layers: readonly Layer[]): Layer[] => layers.map((l) => FORMER_NAMES[l] ?? l);

/** Whether a value can stand in the place of a usual one. */
function sameKind(value: unknown, usual: unknown): boolean {
  if (Array.isArray(usual)) return isTexts(value);
  if (isTable(usual)) return isTable(value) && Object.values(value).every(isText);
  return typeof value === typeof usual;
}

/** What this reader prefers, kept in the browser. */
class Prefs {
  private stored = $state<Stored>(load());
  countersHidden = $state(false);
  systemDark = $state(matchMedia("(prefers-color-scheme: dark)").matches);
  calm = $state(matchMedia("(prefers-reduced-motion: reduce)").matches);

  constructor() {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (e) => (this.systemDark = e.matches));
    matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", (e) => (this.calm = e.matches));
  }

  get value(): Readonly<Stored> {
    return this.stored;
  }

  set(change: Partial<Stored>): void {
    Object.assign(this.stored, change);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.stored));
    } catch {
      /* storage may be full or forbidden; the choice then lasts for this visit */
    }
  }

  get dark(): boolean {
    return this.stored.theme === "dark" || (this.stored.theme === "auto" && this.systemDark);
  }

  on(layer: Layer): boolean {
    return this.stored.layers.includes(layer);
  }

  toggle(layer: Layer): void {
    this.set({
      layers: this.on(layer) ? this.stored.layers.filter((l) => l !== layer) : [...this.stored.layers, layer],
    });
  }

  /** Milliseconds an opponent's step stays on screen. */
  get stepTime(): number {
    return STEP_TIMES[this.stored.pace];
  }

  get onlyBattles(): boolean {
    return this.stored.pace === "battles";
  }

  /** The figure that counters of a game show, if one was chosen. */
  figure(game: string): string {
    return this.stored.figures[game] ?? "";
  }

  setFigure(game: string, figure: string): void {
    this.set({ figures: { ...this.stored.figures, [game]: figure } });
  }
}

export const prefs = new Prefs();
