/** Held by the tab that runs a node, so that the others learn of its end. */
export const leaderLock = (chain: string, leader: string): string => `tabnode.leader:${chain}:${leader}`;
