import * as z from 'zod/mini';
import { call } from './define.ts';
import { sealMode } from './params.ts';

/** What only the operator of a development node may do. */
export const dev = {
  dev_setSealMode: call({
    doc: 'Switches when blocks are sealed: manual, instant, interval or slots.',
    params: { mode: sealMode() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { mode: { kind: 'interval', ms: 2000 } }, result: null },
  }),
};
