import { NodeError } from '../../src/protocol/errors.ts';
import type { PoolSettings } from '../../src/protocol/node.ts';
import type { OptionTable } from './options.ts';

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
