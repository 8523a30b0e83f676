/** Colours of the map, by theme. Every distinction they make is also made by a pattern, a mark or a letter. */
export interface Palette {
  sea: string; seaLine: string; lake: string; coast: string; ice: string; iceLine: string;
  clear: string; foreign: string; neutral: string; swamp: string; hills: string; mountain: string; forest: string; tree: string; glyph: string; railAxis: string; railSoviet: string;
  grid: string; gridSea: string; river: string; riverFrozen: string; border: string; stalin: string; arctic: string;
  blocked: string; ink: string; halo: string; seaInk: string; faint: string; star: string; mark: string; hexId: string;
  snow: string; mud: string; desk: string;
}

export const light: Palette = {
  sea: "#c5d9e2", seaLine: "#a9c6d3", lake: "#bcd5e1", coast: "#6f93a6", ice: "#e9f1f5", iceLine: "#a9bfcc",
  clear: "#f1ecdc", foreign: "#e3dfd0", neutral: "#d9d8d3", swamp: "#d5dfc5", hills: "#e4d3b0", mountain: "#cdb38d",
  forest: "#dfe3c8", tree: "rgba(74,98,58,.50)", railAxis: "#2f3a44", railSoviet: "#7c3a2c", glyph: "rgba(70,60,40,.42)", grid: "rgba(84,76,56,.20)", gridSea: "rgba(60,100,125,.16)",
  river: "#4a86ab", riverFrozen: "#9fbccb", border: "#8c4a3c", stalin: "#5d3a2e", arctic: "#5c6f9e",
  blocked: "#3f5f72", ink: "#26221a", halo: "rgba(246,242,230,.9)", seaInk: "#365a6e", faint: "rgba(60,52,36,.34)",
  star: "#a32a20", mark: "#26221a", hexId: "rgba(60,52,36,.55)", snow: "rgba(255,255,255,.52)", mud: "rgba(120,88,48,.14)", desk: "#dcd6c6",
};

export const dark: Palette = {
  sea: "#1f313b", seaLine: "#294350", lake: "#243c49", coast: "#51788c", ice: "#495860", iceLine: "#7d929d",
  clear: "#3a3a33", foreign: "#31322f", neutral: "#2b2c2b", swamp: "#333f31", hills: "#4b432f", mountain: "#59492f",
  forest: "#333a2e", tree: "rgba(150,185,130,.36)", railAxis: "#c3cfd8", railSoviet: "#e0937f", glyph: "rgba(230,220,190,.34)", grid: "rgba(235,228,205,.13)", gridSea: "rgba(160,200,220,.10)",
  river: "#5d9cc2", riverFrozen: "#8197a3", border: "#cf8a76", stalin: "#d8a582", arctic: "#96a6d8",
  blocked: "#8fb3c7", ink: "#f0ead9", halo: "rgba(35,35,30,.88)", seaInk: "#8db2c6", faint: "rgba(240,232,210,.30)",
  star: "#ff9a84", mark: "#f0ead9", hexId: "rgba(240,232,210,.5)", snow: "rgba(215,228,236,.17)", mud: "rgba(150,105,50,.16)", desk: "#171918",
};
