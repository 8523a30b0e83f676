/** What the computer thinks of a match, as the server tells it. */

import type { Job as AnyJob } from "../api/schema";

export type { Course, CoursePoint as Point, HintResult, PlanStep as Step, TurningPoint } from "../api/schema";

export interface Job<T> extends Omit<AnyJob, "result"> {
  result: T | null;
}

/** For which units a staff plans, and whether they fight or stay. */
export interface StaffWish {
  units: string[];
  stance: "fight" | "hold";
}
