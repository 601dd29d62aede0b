type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

type Described = {
  readonly peers: readonly unknown[];
  readonly addresses: readonly unknown[];
  readonly unreachable: Readonly<Record<string, string>>;
};

/** Longer than a connection lasts on which the other node opens nothing. */
const firstMs = 12_000;

/** Why the node has no peers; none if it has some, or waits for them. */
const findReasons = (
  { peers, addresses, unreachable }: Described,
  hasBootNodes: boolean,
): readonly string[] => {
  if (peers.length > 0) return [];
  const reasons = Object.entries(unreachable).map(
    ([id, reason]) => `No connection with ${id} yet: ${reason}`,
  );
  if (reasons.length > 0 || addresses.length > 0 || hasBootNodes) return reasons;
  return ['There is no node to connect with: name one with --bootnodes, or listen with --listen-addr'];
};

/** Says once, some time after the start, why the node has no peers. Returns a function that ends the wait. */
export const reportPeers = (call: Call, report: (text: string) => void): (() => void) => {
  const look = async (): Promise<void> => {
    const network = (await call('dev_network', [])) as Described & { readonly joined: boolean };
    if (!network.joined) return;
    const { shouldHavePeers } = (await call('system_health', [])) as { readonly shouldHavePeers: boolean };
    for (const reason of findReasons(network, shouldHavePeers)) report(reason);
  };
  // The node may end meanwhile, which is reported by itself.
  const timer = setTimeout(() => void look().catch(() => undefined), firstMs);
  return () => clearTimeout(timer);
};
