interface Signs {
  readonly scan: Readonly<Record<string, string>>;
  readonly rings: boolean;
  /** What the letters of a status mean. */
  readonly statuses: Readonly<Record<string, string>>;
}

let source = $state.raw<() => Signs>(() => ({ scan: {}, rings: true, statuses: {} }));

/**
 * What the counters show, whose drawings know no table. Supply is known from the move of a side's own depots on (5.4);
 * and where nearly every group can do something, a ring marks only those that still wait for orders.
 */
export const signs = {
  get scan(): Signs["scan"] {
    return source().scan;
  },
  get rings(): boolean {
    return source().rings;
  },
  /** From now on they are those of this table. */
  follow(shown: () => Signs): void {
    source = shown;
  },
};

/** Whether a group is known to go without supplies this week, marched since or not. */
export const lacksSupply = (supplied: boolean | undefined, side: string): boolean =>
  supplied === false && statusOf("U", side).sign !== "" && !statusOf("U", side).calm;

/** What a group's status says now: of supply nothing before the depots of its side move, and in the meantime who waits. */
export function statusOf(status: string | undefined, side: string): { sign: string; words: string; calm: boolean } {
  const scan = signs.scan[side] ?? "after";
  const waits = status === "U" && scan !== "after";
  if (!status || (scan === "before" && (status === "U" || status === "S"))) return { sign: "", words: "", calm: false };
  return { sign: status, words: waits ? "not supplied yet" : (source().statuses[status] ?? status), calm: waits };
}

/** The same of a counter; one in the map key, a sample, shows its sign at any time. */
export const statusOn = (state: Readonly<{ status?: string; sample?: boolean }>, side: string) =>
  statusOf(state.status, state.sample ? "" : side);
