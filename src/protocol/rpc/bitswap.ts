import { call } from './define.ts';
import { text } from './params.ts';
import { hexResult } from './results.ts';

/** Indexed transactions by their content identifiers (JSON-RPC specification, `bitswap_v1_get`). */
export const bitswap = {
  bitswap_v1_get: call({
    doc: 'The indexed transaction whose hash is the digest of a CIDv1; -32810 if there is none. This node keeps no transaction index, so it never finds one.',
    params: { cid: text() },
    result: hexResult(),
    safety: 'safe',
    example: {
      args: { cid: 'bafk2bzacec5lindttapqst35gv4767ig2vxmcaeherlaubtqhufg4tqqmeen4' },
      result: '0x0102',
    },
  }),
};
