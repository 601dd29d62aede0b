import { beforeAll, describe, expect, it } from 'vitest';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Database } from '../../worker/db/database.ts';
import type { Declared } from '../../worker/fork/base/declared.ts';
import { decodePack, encodePack, type Pack } from '../../worker/fork/pack.ts';
import { lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { liveChain, openForkOf } from './fork-rig.ts';

// Packs that somebody made by hand: their checksums are right.

const live = liveChain(4);
const { blake2b256 } = await loadCrypto();

const exported = async ({ call }: Awaited<ReturnType<typeof openForkOf>>): Promise<Pack> =>
  decodePack(blake2b256, hexToBytes(await call<string>('dev_exportFork')));

let pack: Pack;
beforeAll(async () => {
  const fork = await openForkOf(live().node);
  await sealOn(fork.node);
  pack = await exported(fork);
  await fork.node.close();
});

const openMade = (made: Pack, db: Database = lastingDatabase()) =>
  openForkOf(live().node, { db, endpoints: [], source: { pack: encodePack(blake2b256, made) } });

it('with a header below its base that is of another block is refused', async () => {
  const [parent] = pack.below;
  if (parent === undefined) throw new Error('the pack has no header below its base');
  for (const below of [[{ ...parent, stateRoot: parent.parentHash }], [parent, parent], [pack.base.header]]) {
    const db = lastingDatabase();
    await expect(openMade({ ...pack, below }, db)).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringContaining('a header below its base is not that of block #'),
    });
    expect(await db.range('meta')).toEqual([]);
  }
});

const account = new Uint8Array(32).fill(7);
const key = textToBytes('key');

describe('what a pack declares', () => {
  it.each<[string, Partial<Declared>, string]>([
    ['an account of another length', { impersonated: [account, account.subarray(1)] }, 'no accounts'],
    ['too many accounts', { impersonated: Array.from({ length: 1025 }, () => account) }, 'too many'],
    [
      'a value twice',
      {
        writes: [
          [key, account],
          [key, null],
        ],
      },
      'declares a value twice',
    ],
    [
      'the root of a child trie',
      { writes: [[textToBytes(':child_storage:default:x'), account]] },
      'the root of a child trie, which follows from its keys',
    ],
  ])('is refused if it is %s, before anything is stored', async (_what, declared, why) => {
    const db = lastingDatabase();
    const made = { ...pack, declared: { writes: [], impersonated: [], ...declared } };
    await expect(openMade(made, db)).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringContaining(why),
    });
    for (const store of ['meta', 'headers', 'nodes'] as const) expect(await db.range(store)).toEqual([]);
  });
});

it('what a pack says of its chain is as plain and short as what an endpoint says', async () => {
  const record = {
    ...pack.record,
    name: `\u001b]0;evil\u0007../..\u202e${'x'.repeat(1_000_000)}`,
    chainType: 'y'.repeat(1_000_000),
    properties: { tokenSymbol: 'Z'.repeat(1_000_000) },
  };
  const db = lastingDatabase();
  const fork = await openMade({ ...pack, record }, db);
  const name = await fork.call<string>('system_chain');
  expect(name).toMatch(/^\]0;evil\.\.\/\.\.x+$/);
  expect(name.length).toBeLessThanOrEqual(100);
  expect(await fork.call('system_properties')).toEqual({});
  await sealOn(fork.node);
  await fork.node.close();
  const again = await openForkOf(live().node, { db, endpoints: [] });
  expect(await again.call('system_chain')).toBe(name);
  await again.node.close();
});

it('a value of 32 bytes that is the hash of another value does not keep a fork from being packed', async () => {
  const other = await startDevNode();
  // No trie node: its first byte is that of no kind of node.
  const value = new Uint8Array(40).fill(1);
  const deep = ['0x1235aaab', '0x1235aabb', '0x1235abbb', '0x1235bbbb'];
  await sealOn(other.node);
  // The one with the hash is higher up, so that it is seen first.
  await other.call('dev_setStorage', [
    ['0x1234', bytesToHex(blake2b256(value))],
    ['0x1235aaaa', bytesToHex(value)],
    ...deep.map((one) => [one, `0x${'33'.repeat(50)}`]),
  ]);
  await sealOn(other.node);
  const fork = await openForkOf(other.node);
  await sealOn(fork.node);
  const at = fork.node.parts.chain.base.hash;
  for (const one of ['0x1234', '0x1235aaaa']) await fork.call('state_getStorage', one, at);
  const made = await exported(fork);
  await fork.node.close();
  const again = await openMade(made);
  expect(await again.call('state_getStorage', '0x1235aaaa', at)).toBe(bytesToHex(value));
  expect(await again.call('state_getStorage', '0x1234', at)).toBe(bytesToHex(blake2b256(value)));
  await again.node.close();
  await other.stop();
});
