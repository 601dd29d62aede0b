import * as z from 'zod/mini';
import { call } from './define.ts';

/** The node's own RPC interface. */
export const rpc = {
  rpc_methods: call({
    doc: 'Every method name, sorted, including aliases, subscriptions and unsafe methods.',
    params: {},
    result: z.object({ methods: z.array(z.string()) }),
    safety: 'safe',
    example: { args: {}, result: { methods: ['rpc_methods'] } },
  }),
  'rpc.discover': call({
    doc: 'The OpenRPC document of this node: every method with the schemas of its parameters and result.',
    params: {},
    result: z.looseObject({ openrpc: z.string(), methods: z.array(z.looseObject({ name: z.string() })) }),
    safety: 'safe',
    example: { args: {}, result: { openrpc: '1.3.2', methods: [{ name: 'rpc_methods' }] } },
  }),
};
