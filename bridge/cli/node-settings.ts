import { NodeError } from '../../src/protocol/errors.ts';
import type { NodeConfig, PoolSettings } from '../../src/protocol/node.ts';
import type { OptionTable } from './command.ts';

/** The SDK's transaction pool flags. */
export const poolOptions = {
  'pool-limit': { by: 'any', type: 'string' },
  'pool-kbytes': { by: 'any', type: 'string' },
  'tx-ban-seconds': { by: 'any', type: 'string' },
} as const satisfies OptionTable;

type Flag = keyof typeof poolOptions;

/** Contains only the given settings; the node has the defaults. Throws `BadConfig`. */
export const toPoolSettings = (values: { readonly [flag in Flag]?: string | undefined }): PoolSettings => {
  const read = <Name extends keyof PoolSettings>(name: Name, flag: Flag): PoolSettings => {
    const text = values[flag];
    if (text === undefined) return {};
    if (!/^\d{1,9}$/.test(text)) throw new NodeError('BadConfig', `--${flag} ${text}: not a whole number`);
    return { [name]: Number(text) };
  };
  return {
    ...read('limit', 'pool-limit'),
    ...read('kbytes', 'pool-kbytes'),
    ...read('banSeconds', 'tx-ban-seconds'),
  };
};

/** The SDK's flags for offchain workers, and the origins that the workers may send requests to. */
export const offchainOptions = {
  'offchain-worker': { by: 'any', type: 'string' },
  'enable-offchain-indexing': { by: 'any', type: 'string' },
  'offchain-http': { by: 'named', type: 'string', multiple: true },
} as const satisfies OptionTable;

export type OffchainSettings = Pick<NodeConfig, 'offchainWorkers' | 'offchainIndexing' | 'offchainHttp'>;

type Values = {
  readonly 'offchain-worker'?: string | undefined;
  readonly 'enable-offchain-indexing'?: string | undefined;
  readonly 'offchain-http'?: readonly string[] | undefined;
};

const bad = (message: string): NodeError => new NodeError('BadConfig', message);

const parseMode = (text: string): OffchainSettings => {
  if (text === 'always' || text === 'never' || text === 'when-authority') return { offchainWorkers: text };
  throw bad(`--offchain-worker ${text}: expected one of always, never, when-authority`);
};

const parseIndexing = (text: string): OffchainSettings => {
  if (text === 'true' || text === 'false') return { offchainIndexing: text === 'true' };
  throw bad(`--enable-offchain-indexing ${text}: expected true or false`);
};

const parseOrigin = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw bad(`--offchain-http ${text}: not an origin such as https://example.com`);
};

/** Contains only the given settings; the node has the defaults. Throws `BadConfig`. */
export const toOffchainSettings = (values: Values): OffchainSettings => {
  const mode = values['offchain-worker'];
  const indexing = values['enable-offchain-indexing'];
  const origins = values['offchain-http'];
  return {
    ...(mode === undefined ? {} : parseMode(mode)),
    ...(indexing === undefined ? {} : parseIndexing(indexing)),
    ...(origins === undefined ? {} : { offchainHttp: origins.map(parseOrigin) }),
  };
};
