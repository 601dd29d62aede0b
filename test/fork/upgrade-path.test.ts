import { afterAll, beforeAll, expect, it } from 'vitest';
import { entryPrefix } from '../../src/scale/storage.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { rehearseUpgrade } from '../../worker/dev/rehearsal/rehearse.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { buildMigratingRuntime } from '../rigs/migrating-runtime.ts';
import { openForkOf } from './fork-rig.ts';
import { createSigner, type NamedCall } from './signer.ts';

const crypto = await loadCrypto();
const key = hexToBytes(entryPrefix('Sudo', 'Key'));
const moved = new Uint8Array(32).fill(7);

let live: DevNode;
let code: Uint8Array;
beforeAll(async () => {
  live = await startDevNode();
  await live.call('engine_createBlock', true, true);
  code = await buildMigratingRuntime(crypto, ({ write }) => ({ before: write(key, moved) }));
});
afterAll(() => live.stop());

type Fork = Awaited<ReturnType<typeof openForkOf>>;

/** Each in a block of its own. */
const include = async ({ node, call }: Fork, from: string, ...calls: readonly NamedCall[]): Promise<void> => {
  const { chain } = node.parts;
  const sign = createSigner();
  for (const one of calls)
    await call('dev_newBlock', { transactions: await sign(node, chain.best().hash, [[from, one]]) });
};

const hash = () => bytesToHex(crypto.blake2b256(code));
const apply = (): NamedCall => ['System', 'apply_authorized_upgrade', { code: bytesToHex(code) }];

/** The block after the upgrade runs the migration, which does what its rehearsal says. */
const expectUpgraded = async (fork: Fork): Promise<void> => {
  const { chain } = fork.node.parts;
  const version = () => fork.call<{ specVersion: number }>('state_getRuntimeVersion');
  expect((await version()).specVersion).toBe(102);
  const read = () => chain.withState(chain.best().hash, (state) => state.get(key));
  expect(await read()).not.toEqual(moved);
  await fork.call('dev_newBlock', {});
  expect(await read()).toEqual(moved);
};

it('on a chain with sudo, an authorized upgrade is applied by anybody, and nothing is declared', async () => {
  const fork = await openForkOf(live.node, { block: 'best' });
  const { parts } = fork.node;
  const report = await rehearseUpgrade({ ...parts, zstd: null }, parts.chain.best().hash, code, {
    maxBlocks: 1,
  });
  expect(report.migration?.changes).toEqual([{ pallet: 'Sudo', item: 'Key', written: 1, removed: 0 }]);
  const authorize = { System: { authorize_upgrade: { code_hash: hash() } } };
  await include(fork, '//Alice', ['Sudo', 'sudo', { call: authorize }]);
  await include(fork, '//Bob', apply());
  await expectUpgraded(fork);
  const { fork: status } = await fork.call<{ fork: { untruths: readonly string[] } }>('dev_status');
  expect(status.untruths).toEqual([]);
  await fork.node.close();
});

it('elsewhere, the authorization is declared as an edited state', async () => {
  const fork = await openForkOf(live.node, { block: 'best' });
  const AuthorizedUpgrade = { code_hash: hash(), check_version: true };
  await fork.call('dev_setStorage', { System: { AuthorizedUpgrade } });
  await include(fork, '//Bob', apply());
  await expectUpgraded(fork);
  const { fork: status } = await fork.call<{ fork: { untruths: readonly string[] } }>('dev_status');
  expect(status.untruths).toEqual([expect.stringMatching(/edited|state/i)]);
  await fork.node.close();
});
