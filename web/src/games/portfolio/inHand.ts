/** What the units that a question is about are doing, by its kind. */
const DOING: Readonly<Record<string, string>> = {
  moving: "On the move",
  retreat: "Retreating",
  displace_to: "Making room",
  advance_step: "Advancing",
  replace: "Arriving",
  reinforce: "Arriving",
  rail: "By rail",
  sea: "By sea",
  reduce: "Replaced by an army",
};

/** The heading over the units that a question is about; those of the other side are nobody's to take up. */
export function inHandTitle(kind: string, theirs: boolean): string {
  const doing = DOING[kind] ?? (theirs ? "" : "Taken up");
  return theirs ? ["Enemy", doing.toLowerCase()].filter(Boolean).join(", ") : doing;
}
