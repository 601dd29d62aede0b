import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import type { Node } from '../../worker/node.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { loadDefaultRuntime, loadNextRuntime } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { type Calls, createCalls } from './limit-calls.ts';
import { clock, importNatively, startSealing } from './native-pair.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

/** `System.LastRuntimeUpgrade`: the code that has executed last, by version and name. */
const lastUpgrade = '0x26aa394eea5630e07c48ae0c9558cef7f9cce9c888469bb1a0dceaa129672ef8';

/** Runtimes of system version 3 put new code there first. Ours is of an earlier version, and never moves it to `:code`. */
describe.skipIf(!hasNativeNode)('code under :pending_code (shared native-node)', () => {
  let native: NativeNode;
  let node: Node;
  let spec: string;
  let calls: Calls;
  let code: Uint8Array;

  beforeAll(async () => {
    native = await unpackNativeNode();
    const wasm = await loadDefaultRuntime();
    code = await loadNextRuntime();
    node = await openAt(Date.now(), { wasm, preset: 'development' }, { clock });
    spec = await native.writeSpec(node);
    calls = await createCalls(node);
  }, 240_000);
  afterAll(async () => {
    await calls.close();
    await node.close();
    native.close();
  });

  const schedule = (): string => {
    const pair = [bytesToHex(textToBytes(':pending_code')), bytesToHex(code)];
    return calls.sign(calls.sudo(calls.pick('system', 'setStorage', [pair])), 0);
  };

  it('builds and executes the next blocks, here and there; other calls keep to :code', async () => {
    const theirs = await startSealing(native, spec, '--pool-kbytes', '200000');
    const { call } = connectRpc(node);
    await sealOn(node);
    await theirs.seal();
    const extrinsic = schedule();
    expect(await node.parts.pool.submit(hexToBytes(extrinsic), 1)).toMatchObject({ ok: true });
    await sealOn(node);
    await theirs.include(extrinsic);
    const versions = async (ask: typeof call) => ({
      version: (await ask<{ specVersion: number }>('state_getRuntimeVersion')).specVersion,
      executed: await ask<string>('state_getStorage', lastUpgrade),
    });
    const before = await versions(call);
    expect(await versions(theirs.call)).toEqual(before);
    for (let block = 0; block < 2; block++) {
      await sealOn(node);
      await theirs.seal();
    }
    const after = await versions(call);
    expect(after.version).toBe(before.version);
    expect(after.executed).not.toBe(before.executed);
    expect(await versions(theirs.call)).toEqual(after);

    const { hash, number } = node.parts.chain.best();
    expect(await importNatively(native, node, spec, 'ours')).toEqual({ number, hash });

    const other = await openAt(Date.now(), { specJson: readFileSync(spec, 'utf8') }, { keys: [] });
    const best = Number((await theirs.call<{ number: string }>('chain_getHeader')).number);
    for (let height = 1; height <= best; height++) {
      const at = await theirs.call<string>('chain_getBlockHash', height);
      const block = await theirs.call<SignedBlockJson>('chain_getBlock', at);
      expect(await other.importBlock(block)).toMatchObject({ hash: at });
    }
    await other.close();
  }, 240_000);
});
