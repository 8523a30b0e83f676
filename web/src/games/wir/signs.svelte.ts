/**
 * What the counters show. Before the depots have moved nobody is supplied, and the sign says nothing; and where
 * nearly every group can do something, a ring marks only those that still wait for orders.
 */
export const signs = $state({ unsupplied: true, rings: true });
