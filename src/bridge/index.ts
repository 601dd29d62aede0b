import { NodeError } from '../protocol/errors.ts';
import type { TabNode } from '../tab-node.ts';
import {
  type BridgePass,
  keepShared,
  type Share,
  type SharedClient,
  type ShareState,
} from './keep-shared.ts';
import { claimTab } from './tab-id.ts';

export type { Share, SharedAddress, SharedClient, ShareState } from './keep-shared.ts';

export type ShareNodeOptions = {
  /** Name in the shared address: `ws://…/NAME`. Default: the chain's name. */
  readonly name?: string;
  /** Whether clients may make unsafe calls. Default: yes, because the calling page is under development. */
  readonly unsafe?: boolean;
  /** Receives the state of the connection. Default: logs when it starts and stops serving. */
  readonly onState?: (state: ShareState) => void;
  readonly onClients?: (clients: readonly SharedClient[]) => void;
};

const askPass = async (): Promise<BridgePass> => {
  const path = '/tabnode';
  const { origin, host, protocol } = location;
  const response = await globalThis.fetch(`${origin}${path}/pass`).catch(() => null);
  const given = response?.ok
    ? ((await response.json().catch(() => null)) as { token?: unknown } | null)
    : null;
  if (typeof given?.token !== 'string')
    throw new NodeError(
      'BadConfig',
      'This page’s server has no bridge: add tabnode() of tabnode/vite to its plugins',
    );
  const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${path}`;
  return { url, secret: { kind: 'token', value: given.token } };
};

const logState = (state: ShareState): void => {
  // biome-ignore lint/suspicious/noConsole: developers look for the address there
  if (state.kind === 'serving') console.info(`Tabnode: this page's chain is served at ${state.address.ws}`);
  // biome-ignore lint/suspicious/noConsole: the same
  if (state.kind === 'ended') console.warn(`Tabnode: this page's chain is not served: ${state.reason}`);
};

/**
 * Serves this page's node to other programs through the page's Vite dev server, which must use the plugin of
 * `tabnode/vite`. Reconnects after a restart of the server. Rejects with `BadConfig` if the server has no
 * bridge.
 */
export const shareNode = async (
  node: Pick<TabNode, 'info' | 'openPort'>,
  {
    name = node.info.chainName,
    unsafe = true,
    onState = logState,
    onClients = () => undefined,
  }: ShareNodeOptions = {},
): Promise<Share> =>
  keepShared({
    pass: await askPass(),
    name,
    genesisHash: node.info.genesisHash,
    tab: await claimTab(),
    openPort: node.openPort,
    allowsUnsafe: () => unsafe,
    agree: async () => true,
    keep: () => undefined,
    onState,
    onClients,
  });
