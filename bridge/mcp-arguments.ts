import type { ParseArgsOptionsConfig } from 'node:util';
import {
  authoringOptions,
  bad,
  type ChainArguments,
  chainOptions,
  parseClock,
  parseSeal,
  read,
  type ServeArguments,
  toChainArguments,
  toKeys,
} from './arguments.ts';

export type McpArguments = {
  /** URL of a running node; null: start one. */
  readonly url: string | null;
  readonly allowWrites: boolean;
  readonly node: ChainArguments & Pick<ServeArguments, 'keys' | 'seal' | 'clock'>;
};

const mcpOptions = {
  ...chainOptions,
  ...authoringOptions,
  url: { type: 'string' },
  'allow-writes': { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

const parseUrl = (text: string): string => {
  const url = URL.parse(text);
  if (url?.protocol === 'ws:' || url?.protocol === 'wss:') return url.href;
  throw bad(`--url ${text}: the address of a node's WebSocket was expected, such as ws://127.0.0.1:9944`);
};

/** A node without writes does not build blocks on its own either. */
export const parseMcpArguments = (args: readonly string[]): McpArguments => {
  const { values } = read(args, mcpOptions, false);
  const { url, 'allow-writes': allowWrites = false, json: _, ...own } = values;
  const [other] = Object.keys(own);
  if (url !== undefined && other !== undefined)
    throw bad(`--url means a running node, and --${other} one to start: leave out one of them`);
  return {
    url: url === undefined ? null : parseUrl(url),
    allowWrites,
    node: {
      ...toChainArguments(values),
      keys: toKeys(values),
      seal: parseSeal(values.seal ?? (allowWrites ? 'instant' : 'manual')),
      clock: parseClock(values.clock ?? 'chain'),
    },
  };
};
