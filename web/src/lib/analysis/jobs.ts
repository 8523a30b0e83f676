import { api, OfflineError, RefusedError } from "../net/api.ts";
import type { MatchStore } from "../state/match/match.svelte.ts";
import type { Job } from "./types.ts";

const PAUSE = 350;

const over = (job: Job<unknown>): boolean =>
  job.state === "done" || job.state === "failed" || job.state === "cancelled";

/** Asks for a job and looks after it until it ends; `heard` is called with every change. Stops when `wanted` says so. */
export async function follow<T>(
  match: MatchStore,
  ask: () => Promise<Job<T>>,
  heard: (job: Job<T>) => void,
  wanted: () => boolean,
): Promise<Job<T>> {
  let job = await ask();
  heard(job);
  while (!over(job) && wanted()) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (!wanted()) break;
    job = await look(match, job, ask);
    if (wanted()) heard(job);
  }
  return job;
}

/** How a job stands: a server that does not answer is waited for, and one that has restarted is asked again. */
async function look<T>(match: MatchStore, job: Job<T>, ask: () => Promise<Job<T>>): Promise<Job<T>> {
  try {
    return await api.job<T>(match.id, match.seat, match.key, job.id);
  } catch (error) {
    if (error instanceof OfflineError) return job;
    if (error instanceof RefusedError && error.refusal.code === "unknown_job") return ask();
    throw error;
  }
}

/** How much of a job is done, from 0 to 1, or null where nobody knows. */
export const share = (job: Job<unknown> | null): number | null =>
  job && job.total > 0 ? Math.min(1, job.done / job.total) : null;

/** A job of which the server has not heard yet. */
export const begun = <T>(kind: Job<T>["kind"], ply: number): Job<T> => ({
  id: "",
  kind,
  ply,
  state: "waiting",
  done: 0,
  total: 0,
  text: "",
  result: null,
});
