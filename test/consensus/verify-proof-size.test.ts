import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/scale/types.ts';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, type Hex, hexToBytes } from '../../worker/bytes/hex.ts';
import { hashHeader } from '../../worker/chain/hashes.ts';
import { type Block, encodeBlock } from '../../worker/codec/block.ts';
import type { Header } from '../../worker/codec/header.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import type { Node } from '../../worker/node.ts';
import { createOffline } from '../../worker/offline.ts';
import type { Backend } from '../../worker/state/backend.ts';
import { hash, placesOf } from '../../worker/state/proof-model.fixture.ts';
import {
  buildCoretime,
  bundleDigest,
  type CoretimeBlock,
  coretimePlatform,
  coretimeSpec,
  openCoretime,
  relayState,
  signCalls,
} from '../rigs/coretime.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { hasFixtures } from '../rigs/fixtures.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { shadowOverlay } from '../rigs/shadow-overlay.ts';
import { importFile } from './verify-rig.ts';

const remark = (length: number) =>
  ['System', 'remark_with_event', { remark: `0x${'07'.repeat(length)}` }] as const;
/** A transfer to an account that may not exist yet. */
const transfer = (to: number) =>
  [
    'Balances',
    'transfer_keep_alive',
    { dest: { Id: `0x${to.toString(16).padStart(2, '0').repeat(32)}` }, value: '1000000000000' },
  ] as const;
const calls = [remark(3), transfer(7), transfer(0x90), transfer(0xe1), remark(300)];
/** Calls with a transaction that is rolled back, a walk with a limit, and a removal of what does not exist. */
const unusualCalls = ({ parts: { crypto } }: Node) => {
  const hashed = (text: string): string => bytesToHex(crypto.twox128(textToBytes(text))).slice(2);
  const call = ([pallet, name, args]: ReturnType<typeof transfer>, value: string) => ({
    [pallet]: { [name]: { ...args, value } },
  });
  const asRoot = (system: Readonly<Record<string, Json>>) =>
    ['Sudo', 'sudo', { call: { System: system } }] as const;
  return [
    [
      'Utility',
      'batch_all',
      { calls: [call(transfer(0x33), '1000000000000'), call(transfer(0x44), '9'.repeat(20))] },
    ],
    asRoot({ kill_storage: { keys: [`0x${hashed('Nothing')}`] } }),
    asRoot({ kill_prefix: { prefix: `0x${hashed('CollatorSelection')}`, subkeys: 1 } }),
  ] as const;
};
/** Takes back that a block was authored in this slot, of which the runtime allows only two. */
const forgetSlot = ({ parts: { crypto } }: Node) => {
  const key = ['AuraExt', 'RelaySlotInfo'].map((name) =>
    bytesToHex(crypto.twox128(textToBytes(name))).slice(2),
  );
  return ['Sudo', 'sudo', { call: { System: { kill_storage: { keys: [`0x${key.join('')}`] } } } }] as const;
};

const hashOf = (node: Node, block: Block): BlockHash => hashHeader(node.parts.crypto, block.header);
const genesisOf = async ({ parts: { chain } }: Node) => (await chain.loadHeader(chain.genesisHash)) as Header;

describe.skipIf(!hasFixtures)('the proof size of a parachain', () => {
  let node: Node;
  let relay: CoretimeBlock['relay'];
  let included: Header;
  beforeAll(async () => {
    node = await openCoretime();
    relay = await relayState(node.parts.crypto);
    included = await genesisOf(node);
    return () => node.close();
  });

  it('is in each extrinsic what the recorder of the SDK counts, and a block built with it has its root', async () => {
    const parent = node.parts.chain.genesisHash;
    const extrinsics = await signCalls(node, parent, [...calls, ...unusualCalls(node)]);
    const sizes: (readonly [number | null, number])[] = [];
    const state: { shadow?: ReturnType<typeof shadowOverlay> } = {};
    const block = await buildCoretime(node, {
      parent,
      included,
      relay,
      slot: 1,
      extrinsics,
      observe: (overlay, backend) => {
        state.shadow = shadowOverlay(overlay, backend, new Set(), (...pair) => sizes.push(pair));
        return state.shadow.overlay;
      },
    });
    // The runtime asks before and after each extrinsic.
    expect(sizes.length).toBeGreaterThanOrEqual(2 * calls.length);
    expect(new Set(sizes.map(([, counted]) => counted)).size).toBeGreaterThan(2);
    expect(sizes.map(([size]) => size)).toEqual(sizes.map(([, counted]) => counted));
    expect(await importFile(node, block)).toMatchObject({ ok: true });
    const again = await node.parts.chain.reexecute(block, (overlay) => overlay);
    expect(again.result).toMatchObject({ ok: true });
    const witness = again.witness.map((bytes) => bytesToHex(hash(bytes))).sort();
    expect(witness).toEqual([...(state.shadow?.counted.accessed.keys() ?? [])].sort());
  });

  it.each([-1, 1])('that is off by %i in one result makes a block that is refused', async (difference) => {
    const parent = node.parts.chain.genesisHash;
    const extrinsics = await signCalls(node, parent, calls);
    let asked = 0;
    const build = (wrong: number): Promise<Block> => {
      asked = 0;
      const observe: CoretimeBlock['observe'] = (overlay) => ({
        ...overlay,
        proofSize: () => (overlay.proofSize() ?? 0) + (asked++ === wrong ? difference : 0),
      });
      return buildCoretime(node, { parent, included, relay, slot: 2, extrinsics, observe });
    };
    const right = await build(-1);
    expect(await importFile(node, right)).toMatchObject({ ok: true });
    let refused = 0;
    for (let wrong = asked - 1; wrong >= 0; wrong--) {
      const block = await build(wrong);
      // The runtime takes the larger of two sums of weight, which can hide a difference.
      if (bytesToHex(block.header.stateRoot) === bytesToHex(right.header.stateRoot)) continue;
      refused++;
      expect(await importFile(node, block)).toMatchObject({ ok: false, code: 'BadBlock' });
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('of no recorded proof is u64::MAX, which makes a block that is refused', async () => {
    const parent = node.parts.chain.genesisHash;
    const extrinsics = await signCalls(node, parent, calls);
    const observe: CoretimeBlock['observe'] = (overlay) => ({ ...overlay, proofSize: () => null });
    const block = await buildCoretime(node, { parent, included, relay, slot: 3, extrinsics, observe });
    expect(await importFile(node, block)).toMatchObject({ ok: false, code: 'BadBlock' });
  });

  it('is recorded by state_callRecorded, and not by state_call', async () => {
    const { chain } = node.parts;
    const parent = chain.genesisHash;
    const extrinsics = await signCalls(node, parent, calls);
    const block = await buildCoretime(node, { parent, included, relay, slot: 4, extrinsics });
    await importFile(node, block);
    const { ask, call } = connectRpc(node);
    const input = bytesToHex(encodeBlock(block));
    const at = hashOf(node, block);
    expect(await call('state_callRecorded', 'Core_execute_block', input, at)).toBe('0x');
    expect((await ask('state_call', 'Core_execute_block', input, parent)).error?.code).toBe(4003);
    const error = async (...params: unknown[]) => (await ask('state_callRecorded', ...params)).error;
    const unknown: Hex = `0x${'91'.repeat(32)}`;
    expect(await error('Core_version', '0x', unknown)).toEqual({
      code: 4003,
      message: `Client error: UnknownBlock: ${unknown}`,
    });
    expect(await error('Core_version', '0x', parent)).toEqual({
      code: 4003,
      message: `Client error: UnknownBlock: 0x${'00'.repeat(32)}`,
    });
    expect(await error('No_method', '0x', at)).toMatchObject({ code: 4003 });
    const safe = connectRpc(node, { denyUnsafe: true });
    expect((await safe.ask('state_callRecorded', 'Core_version', '0x', at)).error?.code).toBe(4005);
  });
});

/** What later blocks of a bundle ignore of one: what it has read, and the nodes it has created. */
const createdBy = (before: Backend, after: Backend): Hex[] => {
  const nodes = { get: (name: Hex) => after.parts.deps.source.getNode(hexToBytes(name)) ?? undefined };
  const old = new Set(placesOf(nodes, bytesToHex(before.root)));
  return placesOf(nodes, bytesToHex(after.root)).flatMap((place) =>
    old.has(place) ? [] : [place.split(':')[1] as Hex],
  );
};

describe.skipIf(!hasFixtures)('a bundle of three blocks', () => {
  const stateOf = (node: Node, at: BlockHash): Promise<Backend> =>
    node.parts.chain.withState(at, (backend) => backend);

  it('counts in each block only what the earlier ones have neither read nor created', async () => {
    const db = lastingDatabase();
    const node = await openCoretime(db);
    const relay = await relayState(node.parts.crypto);
    const included = await genesisOf(node);
    let parent = node.parts.chain.genesisHash;
    const ignored = new Set<Hex>();
    const blocks: Block[] = [];
    for (let index = 0; index < 3; index++) {
      const extrinsics = await signCalls(node, parent, [...calls, forgetSlot(node)]);
      const wanted = { parent, included, relay, slot: 1, extrinsics, digest: bundleDigest(index) };
      const sizes: (readonly [number | null, number])[] = [];
      const state: { shadow?: ReturnType<typeof shadowOverlay> } = {};
      const block = await buildCoretime(node, {
        ...wanted,
        observe: (overlay, backend) => {
          state.shadow = shadowOverlay(overlay, backend, new Set(ignored), (...pair) => sizes.push(pair));
          return state.shadow.overlay;
        },
      });
      expect(sizes.map(([size]) => size)).toEqual(sizes.map(([, counted]) => counted));
      // Counted as a block of its own, another one than the first has another root.
      const alone = await buildCoretime(node, { ...wanted, isAlone: true });
      const isRefused = index > 0;
      expect(await importFile(node, alone)).toMatchObject(
        isRefused ? { ok: false, code: 'BadBlock' } : { ok: true },
      );
      expect(await importFile(node, block)).toMatchObject({ ok: true });
      const before = await stateOf(node, parent);
      parent = hashOf(node, block);
      for (const name of state.shadow?.counted.accessed.keys() ?? []) ignored.add(name);
      for (const name of createdBy(before, await stateOf(node, parent))) ignored.add(name);
      blocks.push(block);
    }
    await node.close();

    // A node that has just started executes the first two again, and its calls start again until all nodes
    // are loaded.
    const { getSync: _, ...slow } = db;
    const other = await openCoretime(slow);
    const last = blocks[2] as Block;
    const again = await other.parts.chain.reexecute(last, (overlay) => overlay);
    expect(again.result).toMatchObject({ ok: true });
    expect(again.witness.some((bytes) => ignored.has(bytesToHex(hash(bytes))))).toBe(false);
    await other.close();

    const stored = { chain: await coretimeSpec(), storage: { kind: 'memory' } } as const;
    const checked = await createOffline(coretimePlatform(db)).checkBlock(stored, hashOf(other, last));
    expect(checked).toMatchObject({ ok: true, value: { number: 3, extrinsics: last.extrinsics.length } });
  });
});
