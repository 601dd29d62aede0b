import type { Dialect } from '../../../src/protocol/node.ts';
import type { RpcDialect } from './dialect.ts';
import { psp6 } from './psp6.ts';
import { sdk } from './sdk.ts';

export const dialects: Readonly<Record<Dialect, RpcDialect>> = { 'psp-6': psp6, 'polkadot-sdk': sdk };
