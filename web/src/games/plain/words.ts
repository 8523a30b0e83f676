/** The name of a member, a verb or a side as a word with a capital. */
export const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
