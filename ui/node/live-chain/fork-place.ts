/** The live chain in the page's URL, as in `/?fork=wss://rpc.polkadot.io`: the addresses of its nodes. */
export const forkOf = (search: string): readonly string[] => new URLSearchParams(search).getAll('fork');

/**
 * URL of the page that may reach these nodes, as a server's policy follows the URL of the page (decision 72), and that forks
 * their chain at the block: a hash, a number, or empty for the last finalized one.
 */
export const forkHref = (addresses: readonly string[], block = ''): string => {
  const named = new URLSearchParams(addresses.map((address) => ['fork', address]));
  if (block !== '') named.set('block', block);
  return `?${named}`;
};
