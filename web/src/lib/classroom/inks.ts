/** Colours of the small picture of a board, and of the key to it. */
interface Inks {
  held: string;
  goal: string;
  first: string;
  other: string;
  front: string;
  /** On a piece. */
  figure: string;
}

export const DAY: Inks = {
  held: "#c3c7b8",
  goal: "#c77e00",
  first: "#333d3a",
  other: "#862b20",
  front: "#6a3d9a",
  figure: "#ffffff",
};
export const NIGHT: Inks = {
  held: "#5a645f",
  goal: "#ffc55c",
  first: "#eef2ee",
  other: "#ff9d86",
  front: "#6a3d9a",
  figure: "#1d1d1b",
};
