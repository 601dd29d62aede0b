import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import type { PolkadotClient } from 'polkadot-api';
import { getPolkadotSigner } from 'polkadot-api/signer';
import { createWsClient } from 'polkadot-api/ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serving } from './serving.fixture.ts';

type Account = { readonly nonce: number; readonly data: { readonly free: bigint } };

const pair = (suri: string) => new Keyring({ type: 'sr25519' }).addFromUri(suri);
const signer = (suri: string) => {
  const { publicKey, sign } = pair(suri);
  return getPolkadotSigner(publicKey, 'Sr25519', (input) => sign(input));
};

/** What the provider in a page can do is in test/clients/papi.test.ts. */
describe('polkadot-api over tabnode serve', () => {
  const node = serving('--dev', '--seal', 'instant');
  let client: PolkadotClient;
  let api: ReturnType<PolkadotClient['getUnsafeApi']>;
  beforeAll(async () => {
    await cryptoWaitReady();
    client = createWsClient(node().ready.ws);
    api = client.getUnsafeApi();
  });
  afterAll(() => client.destroy());

  const accountOf = (address: string): Promise<Account> =>
    api.query['System']?.['Account']?.getValue(address) as Promise<Account>;

  it('reads the chain, storage, its entries, constants and the runtime', async () => {
    expect((await client.getChainSpecData()).genesisHash).toBe(node().ready.genesisHash);
    const { address } = pair('//Alice');
    expect((await accountOf(address)).data.free).toBeGreaterThan(10n ** 12n);
    const entries = (await api.query['System']?.['Account']?.getEntries()) as readonly object[];
    expect(entries.length).toBeGreaterThan(2);
    expect(await api.constants['System']?.['SS58Prefix']?.()).toBe(42);
    expect(await api.apis['AccountNonceApi']?.['account_nonce']?.(address)).toBe(0);
  });

  it('signs, submits and watches a transfer until it is final', async () => {
    const dest = { type: 'Id', value: pair('//Zoe').address };
    const transfer = api.tx['Balances']?.['transfer_keep_alive']?.({ dest, value: 10n ** 12n });
    const types: string[] = [];
    const last = await new Promise<{ readonly ok?: boolean }>((resolve, reject) =>
      transfer?.signSubmitAndWatch(signer('//Alice')).subscribe({
        next: (event) => {
          types.push(event.type);
          if (event.type === 'finalized') resolve(event);
        },
        error: reject,
      }),
    );
    expect(last.ok).toBe(true);
    expect([...new Set(types)]).toEqual(['signed', 'broadcasted', 'txBestBlocksState', 'finalized']);
    expect(await accountOf(dest.value)).toMatchObject({ data: { free: 10n ** 12n } });
  });

  it('sees each block when it is the best one, and when it is final', async () => {
    const [best, final] = [new Set<string>(), new Set<string>()];
    const bests = client.bestBlocks$.subscribe((blocks) => {
      for (const { hash } of blocks) best.add(hash);
    });
    const finals = client.finalizedBlock$.subscribe(({ hash }) => final.add(hash));
    const remark = api.tx['System']?.['remark']?.({ remark: new Uint8Array([1]) });
    const sent = await remark?.signAndSubmit(signer('//Bob'));
    const hash = sent?.block.hash ?? '';
    await expect.poll(() => [best.has(hash), final.has(hash)], { timeout: 20_000 }).toEqual([true, true]);
    bests.unsubscribe();
    finals.unsubscribe();
  });
});
