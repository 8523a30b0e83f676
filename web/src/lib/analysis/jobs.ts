import { api } from "../net/api.ts";
import type { MatchStore } from "../state/match/match.svelte.ts";
import type { Job } from "./types.ts";

const PAUSE = 350;

const over = (job: Job<unknown>): boolean =>
  job.state === "done" || job.state === "failed" || job.state === "cancelled";

/** Looks after a job until it ends; `heard` is called with every change. Stops looking when `wanted` says so. */
export async function follow<T>(
  match: MatchStore,
  first: Job<T>,
  heard: (job: Job<T>) => void,
  wanted: () => boolean,
): Promise<Job<T>> {
  let job = first;
  heard(job);
  while (!over(job) && wanted()) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (!wanted()) break;
    job = await api.job<T>(match.id, match.seat, match.key, job.id);
    if (wanted()) heard(job);
  }
  return job;
}

/** How much of a job is done, from 0 to 1, or null where nobody knows. */
export const share = (job: Job<unknown> | null): number | null =>
  job && job.total > 0 ? Math.min(1, job.done / job.total) : null;
