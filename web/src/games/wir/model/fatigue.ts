/** From here on the fatigue of a unit is marked in lists; no rule begins at it. */
export const TIRED = 50;
