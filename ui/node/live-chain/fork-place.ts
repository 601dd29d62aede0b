/** The live chain in the page's URL, as in `/?fork=wss://rpc.polkadot.io`: the addresses of its nodes. */
export const forkOf = (search: string): readonly string[] => new URLSearchParams(search).getAll('fork');

/** URL of the page that may reach these nodes: a server's policy follows the URL of the page (decision 72). */
export const forkHref = (addresses: readonly string[]): string =>
  `?${new URLSearchParams(addresses.map((address) => ['fork', address]))}`;
