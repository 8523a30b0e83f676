import type { OwnRating } from "../net/types.ts";

/** A rating, with a question mark as long as it may still be far off. */
export const ratingWords = (known: Pick<OwnRating, "rating" | "provisional">): string =>
  `${known.rating}${known.provisional ? "?" : ""}`;
