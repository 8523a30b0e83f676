/** A layer of the map; each game names those it has. */
export type Layer = string;
export type Pace = "slow" | "normal" | "fast" | "instant";

interface Stored {
  theme: "auto" | "light" | "dark";
  layers: Layer[];
  /** Layers that existed when these preferences were kept; newer ones begin as they are by default. */
  known: Layer[];
  counterScale: number;
  pace: Pace;
  curtain: "never" | "turn" | "always";
  sound: false;
  panel: boolean;
  reading: boolean;
  /** Whether terms that the glossary explains are marked. */
  terms: boolean;
  /** How questions that a game asks often are to be put, by game and kind. */
  ways: Record<string, string>;
}

const KEY = "rasputitsa.prefs";
const FIRST: Layer[] = ["weather", "reach", "names"];
const USUAL: Layer[] = [...FIRST, "rail", "plots", "depots"];
const DEFAULTS: Stored = {
  theme: "auto",
  layers: USUAL,
  known: USUAL,
  counterScale: 1,
  pace: "normal",
  curtain: "turn",
  sound: false,
  panel: true,
  reading: false,
  terms: true,
  ways: {},
};

function load(): Stored {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>;
    const known = kept.layers ? (kept.known ?? FIRST) : USUAL;
    return {
      ...DEFAULTS,
      ...kept,
      layers: [...(kept.layers ?? USUAL), ...USUAL.filter((l) => !known.includes(l))],
      known: USUAL,
    };
  } catch {
    return { ...DEFAULTS };
  }
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
    return { slow: 1500, normal: 750, fast: 280, instant: 0 }[this.stored.pace];
  }
}

export const prefs = new Prefs();
