import * as z from 'zod/mini';
import { call } from './define.ts';

const slots = () => z.array(z.int());

/** The node's own BABE slots. */
export const babe = {
  babe_epochAuthorship: call({
    doc: 'The slots of this epoch that the keys in the keystore may claim, by the address of each key.',
    params: {},
    result: z.record(z.string(), z.object({ primary: slots(), secondary: slots(), secondary_vrf: slots() })),
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
    example: {
      args: {},
      result: {
        '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY': {
          primary: [3],
          secondary: [1, 2],
          secondary_vrf: [],
        },
      },
    },
  }),
};
