import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainSource, SignedBlockJson } from '../../src/protocol/node.ts';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { findJustification } from '../../worker/codec/justification.ts';
import { grandpaEngine } from '../../worker/consensus/grandpa/codec.ts';
import type { Node } from '../../worker/node.ts';
import {
  changeKeys,
  loadBlocks,
  rotateKeys,
  shortSessions,
  signSetKeys,
  whenFinal,
} from '../consensus/grandpa-rig.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

/** Early enough that blocks sealed faster than real time stay behind every clock. */
const clock = { startMs: Date.UTC(2025, 5, 15) };

/** The heights of the blocks that have a justification. */
const justifiedOf = async (node: Node, last: number): Promise<number[]> =>
  (await loadBlocks(node, last))
    .filter(({ justifications }) => findJustification(justifications, grandpaEngine) !== null)
    .map(({ header }) => header.number);

describe.skipIf(!hasNativeNode)('finality exchanged with a native node (shared native-node)', () => {
  let native: NativeNode;
  let chain: ChainSource;
  beforeAll(async () => {
    native = await unpackNativeNode();
    chain = await shortSessions('development', 12);
  }, 60_000);
  afterAll(() => native.close());

  it('it finalizes 100 blocks by the justifications of our voter, a set change inside', async () => {
    const node = await openAt(Date.now(), chain, {
      keys: ['//Alice'],
      finality: { kind: 'grandpa' },
      clock,
    });
    await changeKeys(node);
    while (node.parts.chain.best().number < 100) await sealOn(node);
    await whenFinal(node, 100);
    const last = node.parts.chain.best().hash;
    expect(await node.parts.grandpa.authoritySet()).toMatchObject({ setId: 1n });
    expect(await justifiedOf(node, 100)).toHaveLength(2);
    const digits = await connectRpc(node).call<string>('dev_exportChain', 'binary');
    const place = ['--chain', await native.writeSpec(node), '--base-path', join(native.folder, 'ours')];
    await node.close();
    const file = native.write('ours.bin', hexToBytes(digits));
    const everyProof = { JUDGE_JUSTIFICATION_PERIOD: '1' };
    const log = await native.commandIn(everyProof, 'import-blocks', ...place, '--binary', file);
    expect(log).toContain('Imported 100 blocks');
    const info = await native.command('chain-info', ...place);
    expect(JSON.parse(info.slice(info.indexOf('{'), info.lastIndexOf('}') + 1))).toMatchObject({
      best_hash: last,
      finalized_hash: last,
      finalized_number: 100,
    });
  }, 180_000);

  it('its chain with a set change is finalized here by its justifications', async () => {
    const node = await openAt(Date.now(), chain, { keys: [] });
    const place = ['--chain', await native.writeSpec(node), '--base-path', join(native.folder, 'theirs')];
    const theirs = await native.serve(
      ...[...place, '--alice', '--seal', 'manual', '--seal-grandpa', '--rpc-methods', 'unsafe'],
      ...['--node-key', '00'.repeat(31).concat('01'), '--justification-period', '1'],
    );
    await expect.poll(theirs.isUp, { timeout: 60_000, interval: 200 }).toBe(true);
    const made = await rotateKeys(theirs.call);
    await theirs.call('author_submitExtrinsic', await signSetKeys(node, made));
    let hash = '';
    for (let number = 1; number <= 60; number++)
      ({ hash } = await theirs.call<{ hash: string }>('engine_createBlock', true, false, null));
    // Its voter stays two blocks behind the best one.
    const target = await theirs.call<string>('chain_getBlockHash', 58);
    const finalHead = () => theirs.call<string>('chain_getFinalizedHead');
    await expect.poll(finalHead, { timeout: 60_000, interval: 200 }).toBe(target);
    const { justifications } = await theirs.call<SignedBlockJson>('chain_getBlock', target);
    const [, proof = []] = justifications?.[0] ?? [];
    await theirs.stop();
    const file = join(native.folder, 'theirs.bin');
    await native.command('export-blocks', ...place, '--binary', file);
    await connectRpc(node).call('dev_importChain', bytesToHex(readFileSync(file)));
    const { grandpa, chain: ours } = node.parts;
    expect(ours.best().hash).toBe(hash);
    // By the justification of the last block of set 0; those between need no verification, as in the SDK.
    const set = await grandpa.authoritySet();
    expect(set).toMatchObject({ setId: 1n, changes: [{ setId: 0n, last: ours.finalized().number }] });
    const newest = Uint8Array.from(proof as readonly number[]);
    await ours.finalize(target as BlockHash, [textToBytes(grandpaEngine), newest]);
    expect(ours.finalized()).toMatchObject({ number: 58, hash: target });
    await node.close();
  }, 180_000);
});
