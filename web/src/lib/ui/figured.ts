/** A number of things in figures: "1 group", "12 groups". */
export const figured = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
