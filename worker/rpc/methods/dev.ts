import type { dev } from '../../../src/protocol/rpc/dev.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

export const devMethods: Handlers<typeof dev, Pick<RpcParts, 'sealing'>> = {
  dev_setSealMode: ({ sealing }, { mode }) => {
    sealing.setMode(mode);
    return null;
  },
};
