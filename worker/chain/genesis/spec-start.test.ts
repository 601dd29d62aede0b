import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestPlatform, testConfig } from '../../../test/rigs/platform.ts';
import { connectRpc } from '../../../test/rigs/rpc.ts';
import { textToBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import type { Database } from '../../db/database.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import { createNode } from '../../node.ts';

type Spec = { readonly genesis: { readonly raw: { readonly top: Readonly<Record<string, string>> } } };

let base: Spec & Readonly<Record<string, unknown>>;

beforeAll(async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  const genesis = (await node.parts.chain.genesisJson(true)) as Spec['genesis'];
  base = { name: 'Given', id: 'given', chainType: 'Development', bootNodes: [], genesis };
  await node.close();
});

const withTop = (more: Readonly<Record<string, string>>): Spec & Readonly<Record<string, unknown>> => {
  const { raw } = base.genesis;
  return { ...base, genesis: { raw: { ...raw, top: { ...raw.top, ...more } } } };
};

/** Stays open when its node closes. */
const keptDatabase = (): Database => ({ ...createMemoryDatabase(), close: async () => undefined });

/** A start from a file with this content and stamp. */
const start = async (db: Database, spec: object, stamp: string | null) => {
  const read = vi.fn(async () => textToBytes(JSON.stringify(spec)));
  const platform = { ...createTestPlatform({ db }), openSpec: async () => ({ stamp, read }) };
  const node = await createNode(platform, testConfig({ specFile: '/spec.json' }));
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await node.close();
    isOpen = false;
  };
  onTestFinished(close);
  const { genesisHash: hash, genesisJson } = node.parts.chain;
  return { ...connectRpc(node), hash, genesis: () => genesisJson(true), read, close };
};

describe('a start from the file of a specification', () => {
  it('reads it once, and again only if it may have changed', async () => {
    const db = keptDatabase();
    const first = await start(db, base, 'one');
    expect(first.read).toHaveBeenCalledTimes(1);
    await first.close();
    const second = await start(db, base, 'one');
    expect(second.read).not.toHaveBeenCalled();
    expect(second.hash).toBe(first.hash);
    expect(await second.call('system_chain')).toBe('Given');
    await second.close();
    const renamed = await start(db, { ...base, name: 'Renamed' }, 'two');
    expect(renamed.hash).toBe(first.hash);
    expect(await renamed.call('system_chain')).toBe('Renamed');
    await renamed.close();
    const again = await start(db, { ...base, name: 'Renamed' }, 'two');
    expect(again.read).not.toHaveBeenCalled();
    expect(await again.call('system_chain')).toBe('Renamed');
  });

  it('refuses a file with another genesis, and still knows the one before', async () => {
    const db = keptDatabase();
    await (await start(db, base, 'one')).close();
    for (const stamp of ['two', null])
      await expect(start(db, withTop({ '0x01': '0x01' }), stamp)).rejects.toMatchObject({
        code: 'BadSpec',
        message: expect.stringContaining('made from another specification'),
      });
    const again = await start(db, base, 'one');
    expect(again.read).not.toHaveBeenCalled();
  });

  it('exports the state of a file that it did not read', async () => {
    const db = keptDatabase();
    await (await start(db, base, 'one')).close();
    const again = await start(db, base, 'one');
    expect(((await again.genesis()) as Spec['genesis']).raw.top).toEqual(base.genesis.raw.top);
    expect(again.read).toHaveBeenCalledTimes(1);
  });

  it('has a state of many keys before and after it is opened again', async () => {
    const { blake2b256 } = await loadCrypto();
    const names = Array.from({ length: 9000 }, (_, at) => bytesToHex(blake2b256(Uint8Array.of(at >> 8, at))));
    const more = Object.fromEntries(names.map((name) => [name, `0x${'ab'.repeat(80)}`]));
    const db = keptDatabase();
    const first = await start(db, withTop(more), 'one');
    expect(await first.call('state_getStorage', names[4000])).toBe(more[names[4000] as string]);
    await first.call('dev_newBlock');
    await first.close();
    const again = await start(db, withTop(more), 'one');
    expect(await again.call('state_getStorage', names[8999])).toBe(more[names[8999] as string]);
    expect(await again.call('chain_getHeader')).toMatchObject({ number: '0x1' });
    expect(await again.call('state_getKeysPaged', '0x', 1000, names.toSorted()[8990])).not.toEqual([]);
  });
});
