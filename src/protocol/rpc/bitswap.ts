import { call } from './define.ts';
import { text } from './params.ts';
import { hexResult } from './results.ts';

/** Indexed transactions by their content identifiers (JSON-RPC specification, `bitswap_v1_get`). */
export const bitswap = {
  bitswap_v1_get: call({
    doc: 'The indexed transaction of a CIDv1, the digest of which is its hash; -32810 where there is none. This node keeps no transaction index, so it finds none on a chain whose runtime makes one either.',
    params: { cid: text() },
    result: hexResult(),
    safety: 'safe',
    example: {
      args: { cid: 'bafk2bzacec5lindttapqst35gv4767ig2vxmcaeherlaubtqhufg4tqqmeen4' },
      result: '0x0102',
    },
  }),
};
