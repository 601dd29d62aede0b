import { ApiPromise, WsProvider } from '@polkadot/api';
import { describe, expect, it } from 'vitest';
import { sendMany } from '../../test/rigs/many-sends.ts';
import { startServe } from '../clients/test-process.fixture.ts';

type ApiOptions = NonNullable<Parameters<typeof ApiPromise.create>[0]>;

describe('polkadot-js over tabnode serve, with default finality', () => {
  it.each([
    ['instant', 400, 16],
    ['interval', 400, 100],
    ['slots', 1000, 500],
  ] as const)(
    '--seal %s: %i signAndSend see isInBlock, and then isFinalized',
    async (seal, count, inFlight) => {
      const node = await startServe('--dev', '--seal', seal);
      const provider = new WsProvider(`${node.ready.ws}/?dialect=polkadot-sdk`);
      // polkadot-js's own types are not compatible with each other under exactOptionalPropertyTypes.
      const api = await ApiPromise.create({ provider, noInitWarn: true } as unknown as ApiOptions);
      const { sent, inBlock, finalized } = await sendMany(api, count, inFlight);
      await api.disconnect();
      node.kill('SIGTERM');
      await node.ended;
      expect({ sent, inBlock, finalized }).toEqual({ sent: count, inBlock: count, finalized: count });
    },
    180_000,
  );
});
