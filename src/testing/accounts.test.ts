import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApiPromise } from '@polkadot/api';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { afterAll, test as base, beforeAll, expect, it } from 'vitest';
import { polkadotJsProvider } from '../providers/polkadot-js.ts';
import type { TabNode } from '../start.ts';
import type { TestAccount } from './accounts.ts';
import { openAccounts } from './accounts.ts';
import { nodeFixtures } from './vitest.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-accounts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'mine.json');

beforeAll(async () => {
  await cryptoWaitReady();
  const pair = new Keyring({ type: 'ecdsa' }).addFromUri('//Mine', { name: 'Mine' });
  writeFileSync(file, JSON.stringify(pair.toJson('pw')));
});

const test = base.extend<{ startedNode: TabNode; node: TabNode; accounts: readonly TestAccount[] }>(
  nodeFixtures({ dialect: 'polkadot-sdk', accounts: ['alice', { file, password: 'pw' }] }),
);

test('a JSON account signs with polkadot-js, funded by a development account', async ({ node, accounts }) => {
  const [alice, mine] = accounts;
  if (alice === undefined || mine === undefined) throw new Error('no accounts');
  expect([alice.name, mine.name, mine.type]).toEqual(['Alice', 'Mine', 'ecdsa']);
  const api = await ApiPromise.create({ provider: polkadotJsProvider(node), noInitWarn: true });
  const transfer = async (from: TestAccount, to: string, amount: bigint) => {
    const call = api.tx['balances']?.['transferKeepAlive']?.(to, amount);
    await call?.signAndSend(from.address, { signer: from.signer, nonce: -1 });
  };
  const stateOfMine = async () => JSON.stringify(await api.query['system']?.['account']?.(mine.address));
  await transfer(alice, mine.address, 5_000_000_000_000n);
  await expect.poll(stateOfMine).toMatch(/"nonce":0.*"free":5000000000000/);
  await transfer(mine, alice.address, 1_000_000_000_000n);
  await expect.poll(stateOfMine).toMatch(/"nonce":1.*"free":3/);
  await api.disconnect();
});

it('opens secret URIs of all types, and files by URL', async () => {
  const opened = await openAccounts([
    'BOB',
    '//Carol',
    { uri: `0x${'42'.repeat(32)}`, type: 'ethereum' },
    { file: pathToFileURL(file), password: 'pw' },
  ]);
  const theirs = (type: 'sr25519' | 'ethereum' | 'ecdsa', uri: string) =>
    new Keyring({ type }).addFromUri(uri).address;
  expect(opened.map(({ address }) => address)).toEqual([
    theirs('sr25519', '//Bob'),
    theirs('sr25519', '//Carol'),
    theirs('ethereum', `0x${'42'.repeat(32)}`),
    theirs('ecdsa', '//Mine'),
  ]);
});

it.each<[Parameters<typeof openAccounts>[0], string, string]>([
  [['nobody'], 'BadConfig', 'expected Alice'],
  [[{ file: 'no/such.json', password: '' }], 'BadConfig', 'cannot be read'],
  [[{ uri: 'two words' }], 'BadKey', 'not 2'],
])('%j is refused', async (sources, code, text) => {
  await expect(openAccounts(sources)).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
});

it('a wrong password is refused', async () => {
  await expect(openAccounts([{ file, password: 'no' }])).rejects.toMatchObject({ code: 'WrongPassword' });
});
