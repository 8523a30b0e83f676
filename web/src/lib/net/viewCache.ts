import type { Change as AnyChange } from "../api/schema";
import type { View } from "./types.ts";

type Row = Record<string, unknown>;
/** What makes one view of another; docs/reference/protocol.md tells how it is read. */
export interface Change extends Omit<AnyChange, "put"> {
  put: Partial<View>;
}

const KEPT = 8;

/** The last views of a seat by their tags, so that the server need only tell what changed. */
export class ViewCache {
  private readonly views = new Map<string, View>();

  /** The tag of the newest. */
  get tag(): string {
    return [...this.views.keys()].at(-1) ?? "";
  }

  keep(view: View): View {
    if (view.tag === undefined) return view;
    this.views.delete(view.tag);
    this.views.set(view.tag, view);
    for (const tag of this.views.keys()) {
      if (this.views.size <= KEPT) break;
      this.views.delete(tag);
    }
    return view;
  }

  /** The view after a change, or null where the view it starts from is not at hand. */
  change(change: Change): View | null {
    const base = this.views.get(change.base);
    return base ? this.keep(changed(base, change)) : null;
  }
}

export function changed(base: View, change: Change): View {
  const members: View & Record<string, unknown> = { ...base };
  for (const name of change.drop) delete members[name];
  Object.assign(members, change.put);
  for (const [name, { put, drop }] of Object.entries(change.rows)) {
    const rows = new Map((members[name] as Row[]).map((row) => [row["id"], row]));
    for (const id of drop) rows.delete(id);
    for (const row of put) rows.set(row["id"], row);
    members[name] = [...rows.values()];
  }
  return members;
}
