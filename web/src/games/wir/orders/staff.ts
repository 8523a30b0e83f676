import { adviceOf } from "../../../lib/analysis/advice.svelte.ts";
import type { Table } from "../../../lib/state/table/table.svelte.ts";
import { type Body, free, ordered } from "./bodies.ts";

export type Stance = "fight" | "hold";

/** Lets the staff plan for some groups, and gives the orders one by one, so that each can be changed. */
export async function orderStaff(table: Table, body: Body, stance: Stance): Promise<void> {
  const advice = adviceOf(table);
  await advice.ask({ units: free(body).map((u) => u.id), stance });
  const steps = advice.current?.steps.filter((step) => step.line) ?? [];
  if (!advice.current) return;
  if (steps.length) await advice.followAll(steps);
  else table.match.say("info", `${body.title}: the staff leaves everybody where they are.`);
  // it may have been put away meanwhile
  if (!advice.current?.steps.some((step) => step.line)) advice.close();
}

/** Takes back what is plotted for some groups. */
export async function withdraw(table: Table, body: Body): Promise<void> {
  await giveAll(
    table,
    ordered(body).map((u) => `get ${u.id}; unplot; halt`),
    "withdrawn",
  );
}

/** Gives orders one after the other; what the engine refuses is left out and told. Undo takes all of them back. */
export async function giveAll(table: Table, lines: readonly string[], done: string): Promise<void> {
  const { match } = table;
  const refused: string[] = [];
  await table.orderLines.asOne(async () => {
    for (const line of lines) {
      if (!(await table.send(line))) refused.push(match.notice?.text ?? "");
      if (match.notice?.kind === "error") return;
    }
  });
  if (match.notice?.kind === "error") return;
  const given = lines.length - refused.length;
  const told = `${given} ${given === 1 ? "order" : "orders"} ${done}`;
  match.say("info", refused.length ? `${told}; ${refused.length} not possible now: ${refused[0]}` : `${told}.`);
}
