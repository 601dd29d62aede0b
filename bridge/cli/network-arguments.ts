import { checkAddress, peerOfAddress } from '../../src/protocol/addresses/multiaddr.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { NetworkConfig } from '../../src/protocol/network.ts';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { type ListenForm, parseListenAddress } from '../network/addresses.ts';
import { type OptionTable, switches, texts } from './command.ts';

/** The SDK's flags for the network. A file that is merely found must not connect the node with others. */
export const networkOptions = {
  ...switches('named', 'network', 'reserved-only', 'force-authoring'),
  ...texts('named', 'port', 'node-key', 'node-key-file', 'name'),
  'listen-addr': { by: 'named', type: 'string', multiple: true },
  'public-addr': { by: 'named', type: 'string', multiple: true },
  bootnodes: { by: 'named', type: 'string', multiple: true },
  'reserved-nodes': { by: 'named', type: 'string', multiple: true },
  ...texts('named', 'in-peers', 'in-peers-light', 'out-peers'),
  ...texts('named', 'max-parallel-downloads', 'max-blocks-per-request'),
} as const satisfies OptionTable;

type Options = typeof networkOptions;
type ValueOf<O> = O extends { multiple: true } ? string[] : O extends { type: 'boolean' } ? boolean : string;
type Values = { readonly [name in keyof Options]?: ValueOf<Options[name]> | undefined } & {
  readonly dev?: boolean | undefined;
  readonly validator?: boolean | undefined;
};

export type NetworkSettings = {
  /** Null: the node takes part in no network. */
  readonly network: NetworkConfig | null;
  /** Where other nodes reach this one. */
  readonly listen: readonly ListenForm[];
  /** The secret, or the file that has it; null: the one that is stored with the chain. */
  readonly nodeKey: { readonly secret: string } | { readonly file: string } | null;
  readonly forceAuthoring: boolean;
  /** Flags that were given without a network, in which alone they have an effect. */
  readonly unused: readonly string[];
};

const bad = (message: string): NodeError => new NodeError('BadConfig', message);

/** Each that switches the network on. */
const switchFlags = ['network', 'listen-addr', 'port', 'bootnodes', 'reserved-nodes'] as const;

/** Those that scripts of the SDK often have besides, such as `--name`, are not worth a word. */
const networkOnly = [
  ...(['reserved-only', 'public-addr', 'in-peers', 'in-peers-light', 'out-peers'] as const),
  ...(['max-parallel-downloads', 'max-blocks-per-request'] as const),
];

/** Several in one argument are separated by spaces, as in the SDK's scripts. */
const toList = (given: readonly string[] | undefined): string[] =>
  (given ?? []).flatMap((text) => text.split(/\s+/)).filter((text) => text !== '');

const naming = (flag: string, text: string, check: (text: string) => void): void => {
  try {
    check(text);
  } catch (error) {
    throw bad(`--${flag} ${text}: ${(error as Error).message}`);
  }
};

const toPeers = (flag: 'bootnodes' | 'reserved-nodes', values: Values): readonly string[] | undefined => {
  const list = toList(values[flag]);
  for (const address of list) naming(flag, address, peerOfAddress);
  return values[flag] === undefined ? undefined : list;
};

const toPublic = (values: Values): readonly string[] | undefined => {
  const list = toList(values['public-addr']);
  for (const address of list) naming('public-addr', address, checkAddress);
  return values['public-addr'] === undefined ? undefined : list;
};

const toCount = (flag: keyof Values, values: Values, least: number): number | undefined => {
  const text = values[flag] as string | undefined;
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw bad(`--${flag} ${text}: expected a whole number of ${least} or more`);
};

const toListen = (values: Values): ListenForm[] => {
  const { port } = values;
  if (port !== undefined && values['listen-addr'] !== undefined)
    throw bad('--port and --listen-addr cannot be combined: the address has its port');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 65_536))
    throw bad(`--port ${port}: expected a number from 0 to 65535`);
  // As in the SDK, a validator listens for TCP, and others for WebSockets.
  const form = values.validator === true ? '' : '/ws';
  const given = port === undefined ? toList(values['listen-addr']) : [`/ip4/0.0.0.0/tcp/${port}${form}`];
  return given.map(parseListenAddress);
};

const toNodeKey = (values: Values): NetworkSettings['nodeKey'] => {
  const { 'node-key': secret, 'node-key-file': file } = values;
  if (secret !== undefined && file !== undefined)
    throw bad('--node-key and --node-key-file cannot be combined');
  if (file !== undefined) return { file };
  if (secret === undefined) return null;
  if (!/^(0x)?[0-9a-f]{64}$/i.test(secret)) throw bad('--node-key: expected 32 bytes as hex');
  return { secret: `0x${secret.replace(/^0x/i, '').toLowerCase()}` };
};

const withoutUndefined = <T extends object>(object: T): NetworkConfig =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Throws `BadConfig`. */
export const toNetworkSettings = (values: Values): NetworkSettings => {
  const on = switchFlags.find((flag) => values[flag] !== undefined && values[flag] !== false);
  if (values.dev === true && on !== undefined)
    throw bad(`--dev and --${on} cannot be combined: that chain has no network. Use --chain`);
  const config = withoutUndefined({
    bootNodes: toPeers('bootnodes', values),
    reservedNodes: toPeers('reserved-nodes', values),
    reservedOnly: values['reserved-only'],
    inPeers: toCount('in-peers', values, 0),
    inPeersLight: toCount('in-peers-light', values, 0),
    outPeers: toCount('out-peers', values, 0),
    maxParallelDownloads: toCount('max-parallel-downloads', values, 1),
    maxBlocksPerRequest: toCount('max-blocks-per-request', values, 1),
    publicAddresses: toPublic(values),
    name: values.name,
  });
  return {
    network: on === undefined ? null : config,
    listen: toListen(values),
    nodeKey: toNodeKey(values),
    forceAuthoring: values['force-authoring'] === true,
    unused:
      on === undefined && values.dev !== true ? networkOnly.filter((flag) => values[flag] !== undefined) : [],
  };
};

/** What the configuration of a node has of these. */
export const toNetworkConfig = (
  { network, forceAuthoring }: NetworkSettings,
  nodeKey: string | null,
): Pick<NodeConfig, 'network' | 'nodeKey' | 'forceAuthoring'> => ({
  ...(network === null ? {} : { network }),
  ...(nodeKey === null ? {} : { nodeKey }),
  ...(forceAuthoring ? { forceAuthoring } : {}),
});
