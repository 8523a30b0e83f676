/**
 * What this browser keeps. It may be of an earlier version, or of another program that once answered at this address:
 * what is of another kind is passed over, and takes nothing else along.
 */
type Fits<T> = (value: unknown) => value is T;

export const isText = (value: unknown): value is string => typeof value === "string";
export const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Those entries of a table that fit; none of what is no table. */
export const tableOf = <T>(value: unknown, fits: Fits<T>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(isTable(value) ? value : {}).flatMap(([name, entry]) => (fits(entry) ? [[name, entry]] : [])),
  );

/** What is kept under a name; null for nothing, and for what cannot be read. */
export function kept(name: string, where: "localStorage" | "sessionStorage" = "localStorage"): unknown {
  try {
    return JSON.parse(globalThis[where].getItem(name) ?? "null");
  } catch {
    return null;
  }
}
