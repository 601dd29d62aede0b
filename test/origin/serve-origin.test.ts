import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serving } from '../../bridge/clients/serving.fixture.ts';
import { callHttp } from '../../bridge/clients/test-clients.fixture.ts';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { openRealOrigin } from './origin-rig.ts';

type Rig = Awaited<ReturnType<typeof openRealOrigin>>;

const ask = (served: Served, method: string, ...params: unknown[]): Promise<any> =>
  callHttp(served.ready.http, method, params);

/** Seals blocks; returns the hash of the last one. */
const seal = async (served: Served, count: number): Promise<string> => {
  let last = '';
  for (let at = 0; at < count; at += 1)
    last = (await ask(served, 'engine_createBlock', true, true, null)).hash;
  return last;
};

describe.each(['ws', 'http', 'both'] as const)('tabnode serve as an origin over %s', (transport) => {
  const served = serving('--tmp', '--seal', 'manual');
  let rig: Rig;
  beforeAll(async () => {
    await seal(served(), 4);
    const { ws, http } = served().ready;
    rig = await openRealOrigin(transport === 'both' ? [ws, http] : [served().ready[transport]], {
      times: { pollMs: 50 },
    });
  });
  afterAll(() => rig.origin.close());

  it('names its chain and blocks', async () => {
    const { origin } = rig;
    const facts = await origin.facts();
    expect(bytesToHex(facts.genesisHash)).toBe(served().ready.genesisHash);
    expect(facts.name).toBe(await ask(served(), 'system_chain'));
    expect(await origin.hashAt(0)).toEqual(facts.genesisHash);
    const best = await origin.latest('best');
    expect(bytesToHex(best)).toBe(await ask(served(), 'chain_getBlockHash'));
    const { number, parentHash } = await rig.headerAt(best);
    expect(number).toBe(4);
    expect(await origin.hashAt(3)).toEqual(parentHash);
    const block = await ask(served(), 'chain_getBlock', bytesToHex(best));
    expect((await origin.body(best))?.map(bytesToHex)).toEqual(block.block.extrinsics);
    expect(await origin.body(new Uint8Array(32))).toBeNull();
  });

  it('proves its state, large values too', async () => {
    const at = await rig.origin.latest('finalized');
    const page = await rig.origin.keysPaged(at, new Uint8Array(0), 200, null);
    expect(page.length).toBeGreaterThan(30);
    const keys = [...page.filter((key) => bytesToHex(key) !== '0x3a636f6465'), textToBytes('no such key')];
    const values = await rig.read(at, keys);
    for (const [index, key] of keys.entries()) {
      const value = await ask(served(), 'state_getStorage', bytesToHex(key), bytesToHex(at));
      expect(values[index]).toEqual(value === null ? null : hexToBytes(value));
    }
    const [code] = await rig.read(at, [textToBytes(':code')]);
    expect(code?.length).toBe(await ask(served(), 'state_getStorageSize', '0x3a636f6465', bytesToHex(at)));
  });

  it('is followed', async () => {
    const heads: string[] = [];
    let seen: () => void = () => undefined;
    const stop = rig.origin.follow('best', (hash) => {
      heads.push(bytesToHex(hash));
      seen();
    });
    const until = async (hash: string): Promise<void> => {
      while (heads.at(-1) !== hash) await new Promise<void>((resolve) => (seen = resolve));
    };
    await until(await ask(served(), 'chain_getBlockHash'));
    await until(await seal(served(), 1));
    stop();
  });

  it('tells what a block changed where there are subscriptions', async () => {
    const at = await rig.origin.latest('best');
    const keys = await rig.origin.diff(at);
    if (transport === 'http') expect(keys).toBeNull();
    else expect(keys?.map(bytesToHex)).toContain(bytesToHex(rig.itemKey('Timestamp', 'Now')));
  });

  it('has not failed once', () => {
    for (const { state, failures, lies, requests } of rig.origin.stats().endpoints) {
      expect([state, failures, lies]).toEqual(['fit', 0, 0]);
      expect(requests).toBeGreaterThan(4);
    }
    expect(rig.errors).toEqual([]);
  });
});

describe('tabnode serve that discards states', () => {
  const served = serving('--tmp', '--seal', 'manual', '--state-pruning', '3');

  it('proves what has not changed at a newer block, also after the base is gone', async () => {
    await seal(served(), 2);
    const { origin, itemKey, hash } = await openRealOrigin([served().ready.ws]);
    const base = (await origin.hashAt(2)) as Uint8Array;
    // The entry of the code is the same in each block; the root is not.
    const key = itemKey('Balances', 'TotalIssuance');
    const before = await origin.nodes(base, [{ child: null, keys: [key] }], []);
    await seal(served(), 12);
    // An error has no result.
    expect(await ask(served(), 'state_getReadProof', [bytesToHex(key)], bytesToHex(base))).toBeUndefined();
    const after = await origin.nodes(base, [{ child: null, keys: [key] }], []);
    const known = new Set(before.map((node) => bytesToHex(hash(node))));
    const shared = after.map(hash).filter((one) => known.has(bytesToHex(one)));
    expect(shared.length).toBeGreaterThan(0);
    expect((await origin.nodes(base, [{ child: null, keys: [key] }], shared)).length).toBe(after.length);
    const lost = before
      .map(hash)
      .filter((one) => !after.some((node) => bytesToHex(hash(node)) === bytesToHex(one)));
    await expect(origin.nodes(base, [{ child: null, keys: [key] }], lost)).rejects.toMatchObject({
      code: 'NotCached',
    });
    expect(origin.stats()).toMatchObject({ lies: 0, endpoints: [{ states: 'recent', failures: 0 }] });
    origin.close();
  });
});
