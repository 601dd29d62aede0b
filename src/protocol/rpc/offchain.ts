import * as z from 'zod/mini';
import { call, type Param } from './define.ts';
import { at, bytes, param, refuse } from './params.ts';
import { hexResult } from './results.ts';

const safety = { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' } as const;
const key = '0x6b6579';

/** Which offchain store is meant (RPC.md §1.7). */
const storageKind = (): Param<'PERSISTENT' | 'LOCAL', 'PERSISTENT' | 'LOCAL'> =>
  param('text', (value) => {
    if (value === 'PERSISTENT' || value === 'LOCAL') return value;
    if (typeof value !== 'string') return refuse('expected value at line 1 column 1');
    return refuse(`unknown variant \`${value}\`, expected \`PERSISTENT\` or \`LOCAL\` ${at(value)}`);
  });

/** The offchain database: PERSISTENT knows no forks, LOCAL is the best block's (RPC.md §1.7). */
export const offchain = {
  offchain_localStorageSet: call({
    doc: 'Sets a value of the offchain database.',
    params: { kind: storageKind(), key: bytes(), value: bytes() },
    result: z.null(),
    safety,
    example: { args: { kind: 'PERSISTENT', key, value: '0x76616c7565' }, result: null },
  }),
  offchain_localStorageGet: call({
    doc: 'A value of the offchain database, or null.',
    params: { kind: storageKind(), key: bytes() },
    result: z.nullable(hexResult()),
    safety,
    example: { args: { kind: 'PERSISTENT', key }, result: '0x76616c7565' },
  }),
  offchain_localStorageClear: call({
    doc: 'Removes a value of the offchain database.',
    params: { kind: storageKind(), key: bytes() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { kind: 'LOCAL', key }, result: null },
  }),
};
