import { afterAll, beforeAll, expect, it } from 'vitest';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createExecutor, type Executor, type Runtime } from '../../worker/executor/executor.ts';
import { createReplayer } from '../../worker/fork/run-block.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { originOf } from './chain-origin.ts';

const crypto = await loadCrypto();
const eve = new Uint8Array(32).fill(5);
const added = textToBytes('added here');

let dev: DevNode;
let hash: BlockHash;
beforeAll(async () => {
  dev = await startDevNode();
  await dev.call('author_submitExtrinsic', await dev.transfer('//Alice', eve, 10n ** 13n, 0));
  await dev.call('engine_createBlock', true, true);
  hash = dev.best().hash;
});
afterAll(() => dev.stop());

const open = (executor: Executor) =>
  createReplayer({
    crypto,
    newExecutor: () => executor,
    origin: originOf(dev.node),
    onError: (error) => {
      throw error;
    },
    nowMs: () => performance.now(),
  });

it('reports what each phase did, by name', async () => {
  const report = await (await open(createExecutor({ crypto }))).run(hash, true);
  expect(report).toMatchObject({ number: 1, hash, isSame: true, difference: null, extrinsics: 2 });
  expect(report.computedRoot).toBe(report.stateRoot);
  expect(report.phases?.map(({ phase }) => phase)).toEqual([
    'initialization',
    'extrinsic 0',
    'extrinsic 1',
    'finalization',
  ]);
  const transfer = report.phases?.[2];
  expect(transfer?.events?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Balances.Transfer', 'System.NewAccount', 'System.ExtrinsicSuccess']),
  );
  expect(Number(transfer?.weight?.refTime)).toBeGreaterThan(0);
  expect(JSON.stringify(transfer?.new)).toContain('10000000000000');
  expect(transfer?.old).toHaveProperty('system.account');
  const timestamp = report.phases?.[1];
  expect(timestamp?.new).toHaveProperty('timestamp.now');
});

/** A node whose runtime does one thing more than the live chain's in the transfer. */
const writingMore = (executor: Executor): Executor => {
  const changed = (runtime: Runtime): Runtime => ({
    ...runtime,
    call: (overlay, method, input, options) => {
      const result = runtime.call(overlay, method, input, options);
      if (method === 'BlockBuilder_apply_extrinsic' && input.length > 100)
        overlay.set(added, Uint8Array.of(7));
      return result;
    },
  });
  return {
    ...executor,
    load: (...code) => changed(executor.load(...code)),
    loaded: (codeHash) => {
      const runtime = executor.loaded(codeHash);
      return runtime === null ? null : changed(runtime);
    },
  };
};

it('names the first phase whose writes differ, and the values here and there', async () => {
  const report = await (await open(writingMore(createExecutor({ crypto })))).run(hash, false);
  expect(report.isSame).toBe(false);
  expect(report.computedRoot).not.toBe(report.stateRoot);
  expect(report.difference).toEqual({
    phase: 'extrinsic 1',
    why: 'the state root differs: 1 values differ',
    here: { [`0x${Buffer.from(added).toString('hex')}`]: '0x07' },
    there: { [`0x${Buffer.from(added).toString('hex')}`]: null },
  });
});
