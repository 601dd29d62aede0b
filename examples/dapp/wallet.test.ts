import { ApiPromise } from '@polkadot/api';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { test as base, expect } from 'vitest';
import { polkadotJsProvider } from '../../src/providers/polkadot-js.ts';
import type { TabNode } from '../../src/start.ts';
import { nodeFixtures } from '../../src/testing/vitest.ts';
import { showBalance } from './balance.ts';
import { sendTransfer } from './transfer.ts';

// In a project of your own: `import { nodeFixtures } from 'tabnode/testing/vitest'`.
const test = base.extend<{ startedNode: TabNode; node: TabNode }>(nodeFixtures({ dialect: 'polkadot-sdk' }));
const unit = 1_000_000_000_000n;

for (const round of ['first', 'second'])
  test(`a transfer changes the balance shown; the ${round} test begins at block 0`, async ({ node }) => {
    expect((await node.rpc.chain_getHeader())?.number).toBe('0x0');
    await cryptoWaitReady();
    const keyring = new Keyring({ type: 'sr25519' });
    const zoe = keyring.addFromUri('//Zoe').address;
    const api = await ApiPromise.create({ provider: polkadotJsProvider(node), noInitWarn: true });
    const shown: string[] = [];
    await showBalance(api, zoe, (text) => shown.push(text));
    await expect.poll(() => shown).toEqual(['0']);
    const statuses: string[] = [];
    await sendTransfer(api, keyring.addFromUri('//Alice'), zoe, unit, (text) => statuses.push(text));
    expect(statuses.at(-1)).toBe('Finalized');
    await expect.poll(() => shown.at(-1)).toBe(`${unit}`);
    await api.disconnect();
  });
