import type { UiNode } from '../../node/client/ui-node.ts';
import { isForPages, listenAddressesFor } from '../../node/network/node-addresses.ts';

/** What a node elsewhere gives to whoever wants to run its chain. */
export type RunPlan = {
  /** Null if the node does not give it. */
  readonly spec: object | null;
  /** Why not, and what to do. */
  readonly why: string | null;
  /** Where a page can dial it. */
  readonly addresses: readonly string[];
};

type Node = Pick<UiNode, 'request' | 'offers'>;

/** The SDK's code while only the first block is final (sc-sync-state-rpc). */
const noSyncState = 1;

const whyNoSpec = (fault: unknown): string => {
  const { code, message } = fault as { readonly code?: unknown; readonly message?: string };
  return code === noSyncState
    ? 'The node gives its chain spec once a block after the first one is final. Try again then, or give the chain spec here.'
    : `The node did not give its chain spec (${message ?? String(fault)}). Give it here.`;
};

const loadSpec = async (node: Node): Promise<Pick<RunPlan, 'spec' | 'why'>> => {
  if (!node.offers('sync_state_genSyncSpec'))
    return {
      spec: null,
      why: 'This node does not give its chain spec: it has no sync_state_genSyncSpec. Give the chain spec here.',
    };
  try {
    return { spec: await node.request('sync_state_genSyncSpec', [true]), why: null };
  } catch (fault) {
    return { spec: null, why: whyNoSpec(fault) };
  }
};

const loadAddresses = async (node: Node, url: string): Promise<readonly string[]> => {
  if (!node.offers('system_localListenAddresses')) return [];
  const listened = await node.request('system_localListenAddresses', []).catch(() => []);
  return listenAddressesFor(listened, url).filter((one) => isForPages(one, location));
};

/** Asks the node at the URL. */
export const loadRunPlan = async (node: Node, url: string): Promise<RunPlan> => {
  const [spec, addresses] = await Promise.all([loadSpec(node), loadAddresses(node, url)]);
  return { ...spec, addresses };
};
