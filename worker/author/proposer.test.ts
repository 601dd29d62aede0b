import { describe, expect, test, vi } from 'vitest';
import { stubRuntime } from '../../test/rigs/stub-runtime.ts';
import { Writer } from '../bytes/writer.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import { encodeInherentData, encodeU64 } from '../codec/inherent-data.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import type { Runtime } from '../executor/executor.ts';
import { createSignatureCache } from '../executor/signature-cache.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { createOverlay } from '../state/overlay.ts';
import { emptySource } from '../trie/node-source.ts';
import { proposeBlock } from './proposer.ts';

const crypto = await loadCrypto();
const zero = new Uint8Array(32);
const header: Header = { parentHash: zero, number: 4, stateRoot: zero, extrinsicsRoot: zero, digest: [] };
const claim = { digest: [], timestampMs: 1n, inherents: [], seal: () => null };

/** An extrinsic of one byte, with its length. */
const extrinsic = (index: number): Uint8Array => Uint8Array.of(4, index);
/** Results of `BlockBuilder_apply_extrinsic`. */
const applied = [0, 0];
const exhausted = [1, 0, 6];
const badMandatory = [1, 0, 8];
const stale = [1, 0, 3];
const unknown = [1, 1, 0];
const trap = null;
type Result = readonly number[] | null;

/** Builds a block on a runtime that makes one inherent per result, and gives that result when it is applied. */
const propose = async (results: readonly Result[]) => {
  const stub = stubRuntime(
    { Core: 5 },
    {
      Core_initialize_block: Uint8Array.of(0),
      BlockBuilder_inherent_extrinsics: new Writer(64)
        .vec([...results.keys()], (out, index) => out.vecBytes(Uint8Array.of(index)))
        .finish(),
      BlockBuilder_apply_extrinsic: (input) => Uint8Array.from(results[input[1] as number] ?? []),
      BlockBuilder_finalize_block: encodeHeader({ ...header, number: 5 }),
    },
  );
  const call: Runtime['call'] = (overlay, method, input, options) => {
    overlay.set(Uint8Array.from(input), Uint8Array.of(1));
    return method === 'BlockBuilder_apply_extrinsic' && results[input[1] as number] === trap
      ? { ok: false, kind: 'trap', trap: 'panicked', logs: [] }
      : stub.call(overlay, method, input, options);
  };
  const version = { systemVersion: 1 } as Runtime['version'];
  const runtime: Runtime = { ...stub, version, call };
  const note = vi.fn();
  const overlay = createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));
  const deps = {
    crypto,
    run: async <T>(attempt: () => T) => attempt(),
    pace: { isDue: () => false, pause: () => null },
    signatures: createSignatureCache(),
    fuel: 'import' as const,
    executor: { note },
  };
  const parent = { hash: zero, header, runtime, openOverlay: () => overlay };
  const candidates = Object.assign([], { skipDependents: () => undefined });
  return {
    note,
    overlay,
    proposed: proposeBlock(deps, parent, claim, candidates),
  };
};

const lines = (note: ReturnType<typeof vi.fn>): unknown[] => note.mock.calls.map(([line]) => line);

/** sc-basic-authorship, `apply_inherents`. */
describe('inherents', () => {
  test('that are not mandatory and fail or do not fit are left out, each with a line in the log', async () => {
    const { note, proposed, overlay } = await propose([
      applied,
      stale,
      exhausted,
      unknown,
      trap,
      [0, 1, 3, 5],
    ]);
    const { block } = await proposed;
    expect(block.extrinsics).toEqual([extrinsic(0), extrinsic(5)]);
    const why = (index: number, what: string) => ({
      level: 1,
      target: 'author',
      block: 5,
      message: `Inherent ${index} ${what}, and is left out`,
    });
    expect(lines(note)).toEqual([
      why(1, 'was refused by the runtime'),
      why(2, 'does not fit'),
      why(3, 'was refused by the runtime'),
      why(4, 'was refused by the runtime'),
    ]);
    // What an inherent did before it failed is undone.
    expect([0, 1, 2, 3, 4, 5].map((index) => overlay.get(extrinsic(index)) !== null)).toEqual([
      ...[true, false, false, false, false, true],
    ]);
  });
  test('are made without a trace: what the runtime writes meanwhile is undone', async () => {
    const { proposed, overlay } = await propose([applied]);
    await proposed;
    const data = encodeInherentData([['timstap0', encodeU64(claim.timestampMs)]]);
    expect([data, extrinsic(0)].map((input) => overlay.get(input) !== null)).toEqual([false, true]);
  });
  test('that are mandatory and fail end the block', async () => {
    const { note, proposed } = await propose([applied, badMandatory, applied]);
    await expect(proposed).rejects.toMatchObject({
      code: 'InherentFailed',
      message: 'Inherent 1 of the block is mandatory, and was refused by the runtime',
    });
    expect(note).not.toHaveBeenCalled();
  });
});
