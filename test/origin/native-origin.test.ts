import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from '../native/native-rig.ts';
import { openRealOrigin } from './origin-rig.ts';

type Rig = Awaited<ReturnType<typeof openRealOrigin>>;

describe.skipIf(!hasNativeNode)('a native node as an origin (shared native-node)', () => {
  let native: NativeNode;
  let live: Awaited<ReturnType<NativeNode['serve']>>;
  const rigs: Rig[] = [];
  const open = async (...endpoints: string[]): Promise<Rig> => {
    const rig = await openRealOrigin(endpoints);
    rigs.push(rig);
    return rig;
  };
  const seal = async (count: number): Promise<Uint8Array> => {
    let last = '';
    for (let at = 0; at < count; at += 1)
      last = (await live.call<{ hash: string }>('engine_createBlock', true, true, null)).hash;
    return hexToBytes(last);
  };
  beforeAll(async () => {
    native = await unpackNativeNode();
    const node = await openAt(Date.now(), 'development', { keys: [] });
    const spec = await native.writeSpec(node);
    await node.close();
    const key = ['--node-key', '00'.repeat(31).concat('01'), '--rpc-methods', 'unsafe'];
    // It keeps the states of 16 blocks.
    const pruning = ['--state-pruning', '16', '--blocks-pruning', 'archive'];
    live = await native.serve('--chain', spec, '--alice', '--tmp', '--seal', 'manual', ...key, ...pruning);
    await vi.waitFor(async () => expect(await live.isUp()).toBe(true), { timeout: 120_000, interval: 100 });
    await seal(3);
  }, 240_000);
  afterAll(async () => {
    for (const { origin } of rigs) origin.close();
    await live?.stop();
    native?.close();
  });

  it.each(['ws', 'http'])(
    'proves blocks and states over %s',
    async (scheme) => {
      const rig = await open(`${scheme}://${live.address}`);
      const { origin } = rig;
      const facts = await origin.facts();
      expect(bytesToHex(facts.genesisHash)).toBe(await live.call('chain_getBlockHash', 0));
      expect(facts.chainType).toBe('Local');
      const best = await origin.latest('best');
      const { number } = await rig.headerAt(best);
      expect(bytesToHex(best)).toBe(await live.call('chain_getBlockHash', number));
      expect(await origin.hashAt(number)).toEqual(best);
      expect(await origin.hashAt(1000)).toBeNull();
      expect((await origin.body(best))?.length).toBeGreaterThan(0);
      expect(await origin.header(new Uint8Array(32).fill(1))).toBeNull();
      const page = await origin.keysPaged(best, new Uint8Array(0), 100, null);
      const keys = [...page, textToBytes('no such key'), textToBytes(':code')];
      const values = await rig.read(best, keys);
      for (const [index, key] of keys.entries()) {
        const value = await live.call<string | null>('state_getStorage', bytesToHex(key), bytesToHex(best));
        expect(values[index]).toEqual(value === null ? null : hexToBytes(value));
      }
      const heads: Uint8Array[] = [];
      const stop = origin.follow('finalized', (hash) => heads.push(hash));
      await vi.waitFor(() => expect(heads.length).toBe(1));
      const next = await seal(1);
      await vi.waitFor(() => expect(heads.at(-1)).toEqual(next));
      stop();
      expect(origin.stats()).toMatchObject({ lies: 0, endpoints: [{ state: 'fit', failures: 0 }] });
    },
    120_000,
  );

  it('proves the nodes of a state that it has discarded at a newer block', async () => {
    const { origin, itemKey, hash } = await open(`ws://${live.address}`);
    const base = await seal(1);
    const request = [{ child: null, keys: [itemKey('Sudo', 'Key'), itemKey('Grandpa', 'Authorities')] }];
    const before = (await origin.nodes(base, request, [])).map((node) => bytesToHex(hash(node)));
    await seal(40);
    await expect(live.call('state_getReadProof', ['0x00'], bytesToHex(base))).rejects.toThrow(/discarded/);
    const after = (await origin.nodes(base, request, [])).map((node) => bytesToHex(hash(node)));
    const shared = before.filter((one) => after.includes(one));
    const lost = before.filter((one) => !after.includes(one));
    expect(shared.length).toBeGreaterThan(1);
    expect(lost.length).toBeGreaterThan(0);
    expect((await origin.nodes(base, request, shared.map(hexToBytes))).length).toBe(after.length);
    await expect(origin.nodes(base, request, lost.map(hexToBytes))).rejects.toMatchObject({
      code: 'NotCached',
    });
    expect(origin.stats()).toMatchObject({
      lies: 0,
      endpoints: [{ state: 'fit', states: 'recent', failures: 0 }],
    });
  }, 120_000);
});
