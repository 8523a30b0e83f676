/** What "No Retreat!" orders change about a face of the die: the lines that stand there only with them. */
export const underOrders = (told: readonly string[], held: readonly string[] = []): string[] =>
  held.filter((line) => !told.includes(line));
