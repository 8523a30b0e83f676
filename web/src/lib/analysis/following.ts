import { prefs } from "../state/prefs.svelte.ts";
import type { Table } from "../state/table/table.svelte.ts";
import type { Advice } from "./advice.svelte.ts";
import type { Step } from "./types.ts";

/** No step is looked at for longer, however slow the other side's moves are shown. */
const LONGEST_MS = 300;

/** Where a step of a plan is carried out. */
export const placeOf = (table: Table, step: Step): string | null =>
  [step.targets[0], step.path.at(-1), step.origins[0], ...step.units.map((u) => table.whereIs(u))].find(Boolean) ??
  null;

/** The steps that lie on the part of the map that is seen. */
export const inView = (table: Table, steps: readonly Step[]): Step[] =>
  steps.filter((step) => {
    const centre = table.map.byId.get(placeOf(table, step) ?? "")?.centre;
    return centre !== undefined && table.viewport.shows(centre);
  });

/** Orders one step of the plan, which then leaves it; false where the engine refuses. */
export async function followStep(table: Table, advice: Advice, line: string): Promise<boolean> {
  advice.pointed = null;
  const { hint } = advice;
  const ply = table.match.view?.ply ?? 0;
  const step = hint?.steps.find((s) => s.line === line);
  const orders = step?.orders?.length ? step.orders : [line];
  const sent = await advice.strayed.keeps(async () => {
    for (const order of orders) if (!(await table.send(order))) return false;
    return true;
  });
  if (!sent) return false;
  if (!hint || advice.hint !== hint) return true;
  const done = hint.steps.findIndex((s) => s.line === line);
  advice.hint = { ...hint, steps: hint.steps.filter((_, at) => at !== done) };
  advice.carriedOut = [...advice.carriedOut, { ply, plan: hint }];
  return true;
}

/** Whether all orders of the plan have been given that could be given in this phase. */
export const isCarriedOut = (advice: Advice): boolean =>
  advice.carriedOut.length > 0 && advice.current !== null && !advice.current.steps.some((s) => s.line);

/** What has been taken back of a plan is to be done again. */
export function unfollow(table: Table, advice: Advice): void {
  const ply = table.match.view?.ply ?? 0;
  const back = advice.carriedOut.findIndex((done) => done.ply >= ply);
  if (back < 0 || !advice.hint) return;
  advice.hint = advice.carriedOut[back]!.plan;
  advice.carriedOut = advice.carriedOut.slice(0, back);
}

/** Orders step after step. One that the engine refuses stays in the plan, and the others go on; it is tried again after
 * them, since they may have made room for it. */
export async function followSteps(table: Table, advice: Advice, wanted: readonly Step[]): Promise<void> {
  let left = new Set(wanted);
  let refused = new Map<Step, string>();
  let done = 0;
  let doneBefore = 0;
  while (advice.following) {
    const step = advice.current?.steps.find((s) => left.has(s) && advice.canOrder(s));
    if (!step) {
      if (!refused.size || done === doneBefore) break;
      left = new Set(refused.keys());
      refused = new Map();
      doneBefore = done;
      continue;
    }
    left.delete(step);
    advice.point(step, true);
    await new Promise((resolve) => setTimeout(resolve, Math.min(prefs.stepTime, LONGEST_MS)));
    if (await advice.follow(step.line)) done += 1;
    else refused.set(step, table.match.notice?.text ?? "");
    // the server is away: nothing else can be done either
    if (table.match.notice?.kind === "error") return;
  }
  const given = `${done} ${done === 1 ? "order" : "orders"} given`;
  const [why] = refused.values();
  const stay = refused.size === 1 ? "stays" : "stay";
  table.match.say(
    "info",
    refused.size ? `${given}; ${refused.size} could not be carried out and ${stay} listed: ${why}` : `${given}.`,
  );
}

/** A step of a plan that can be ordered in one go, by its line, or the mere answer to the question. */
export interface Beginning {
  line: string;
  text: string;
}

/** What is to be done first of an open hint. */
export function beginningOf(table: Table, advice: Advice): Beginning | null {
  const hint = advice.current;
  if (!hint) return null;
  const step = hint.steps.find((s) => advice.canOrder(s));
  if (step) return { line: step.line, text: step.text };
  if (advice.older) return null;
  const option = table.match.view?.decision?.options.find((o) => o.action === hint.action);
  return { line: "", text: option ? table.label(option) : hint.label };
}

/** Does what is to be done first. A hint that was no more than the answer to a question is done with. */
export async function doFirst(table: Table, advice: Advice): Promise<void> {
  const { begin, current } = advice;
  if (begin?.line) await advice.follow(begin.line);
  else if (begin && current) {
    const sent = await advice.strayed.keeps(() => table.send(current.action));
    if (sent && current.steps.length < 2) advice.close();
  }
}
