import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServe } from '../../../../bridge/clients/test-process.fixture.ts';
import { writeJson } from '../../../../src/protocol/json.ts';
import { decodeEvents, eventsKey } from '../../../../src/scale/events.ts';
import { encodeCall } from '../../../../src/scale/extrinsic.ts';
import { createMetaLoader } from '../../../../src/scale/load.ts';
import type { Json, RuntimeMeta } from '../../../../src/scale/types.ts';
import { feeOf, loadOutcome } from '../../../node/load-outcome.ts';
import { createHeldKeys } from '../../../node/tx/held-keys.ts';
import type { Signer } from '../../../node/tx/signers.svelte.ts';
import { loadFacts, type SendOptions, signCall } from '../../../node/tx/signing.ts';
import { type Answers, previewTransaction } from './forecast.svelte.ts';

const alice: Signer = {
  kind: 'key',
  id: '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d',
  name: 'Alice',
  suri: '//Alice',
  keys: createHeldKeys(),
};
const aliceAddress = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const options: SendOptions = { nonce: null, tip: 0n, period: 64 };

type Node = Parameters<typeof previewTransaction>[0];

let running: Awaited<ReturnType<typeof startServe>>;
let node: Node;
let meta: RuntimeMeta;

const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
  const response = await globalThis.fetch(running.ready.http, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: writeJson({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
};

beforeAll(async () => {
  running = await startServe('--chain', 'local_testnet', '--tmp', '--seal', 'manual', '--alice', '--bob');
  await request('dev_newBlock', []);
  node = {
    request,
    info: { genesisHash: running.ready.genesisHash },
    base: () => null,
    status: async () => ({}),
  } as unknown as Node;
  meta = await createMetaLoader({ request }).at(null);
});
afterAll(async () => {
  running.kill('SIGTERM');
  await running.ended;
});

const callOf = (pallet: string, name: string, args: Json): Uint8Array => encodeCall(meta, pallet, name, args);
const code: Json = { System: { set_code: { code: '0x00' } } };
const rename: Json = { System: { remark: { remark: '0x01' } } };

/** The forecast for a call by Alice; `change` may respond in place of the node. */
const foretellOf = (
  call: Uint8Array,
  change: (method: string) => unknown = () => undefined,
): Promise<Answers> => {
  const changed = (async (method, params) => change(method) ?? request(method, params)) as Node['request'];
  const { signal } = new AbortController();
  return previewTransaction(
    { ...node, request: changed },
    { meta, call, signer: alice, options },
    { signal },
  );
};

/** Sends a call by Alice in a block; returns its outcome and the block's events. */
const send = async (call: Uint8Array) => {
  const facts = await loadFacts(node, aliceAddress, null);
  const hex = await signCall(meta, call, alice, facts, options);
  await request('author_submitExtrinsic', [hex]);
  const hash = String(await request('dev_newBlock', []));
  const events = await request('state_getStorage', [eventsKey, hash]);
  const outcome = await loadOutcome(node, { of: async () => meta }, hex, hash);
  return { events, outcome: outcome?.outcome };
};

const noMethod = (method: string): unknown => {
  if (method === 'dev_dryRun') throw new Error('Method not found');
  return undefined;
};

const cases: readonly (readonly [string, string, Json, string])[] = [
  ['Sudo', 'sudo', { call: code }, 'Sudo.Sudid: '],
  ['Utility', 'batch', { calls: [rename, code] }, 'Utility.BatchInterrupted: '],
  ['Utility', 'force_batch', { calls: [code, rename] }, 'Utility.ItemFailed: '],
];

describe('the dry run of a call with nested calls', () => {
  it.each(cases)(
    '%s.%s: reports an inner failure in the same words as the real outcome',
    async (pallet, name, args, words) => {
      const call = callOf(pallet, name, args);
      const { events, outcome } = await send(call);
      expect(outcome).toMatchObject({ kind: 'failed', text: expect.stringContaining(words) });
      const outlook = await foretellOf(call, (method) =>
        method === 'dev_dryRun' ? [[eventsKey, events]] : undefined,
      );
      expect(outlook.outcome).toEqual(outcome);
    },
  );

  it.each(cases)(
    '%s.%s: reports an unknown outcome if the node provides no events',
    async (pallet, name, args) => {
      expect((await foretellOf(callOf(pallet, name, args), noMethod)).outcome).toEqual({ kind: 'unknown' });
    },
  );

  it('succeeds if the nested calls do', async () => {
    const call = callOf('Utility', 'batch', { calls: [rename, rename] });
    const { events, outcome } = await send(call);
    expect(outcome).toEqual({ kind: 'ok' });
    const outlook = await foretellOf(call, (method) =>
      method === 'dev_dryRun' ? [[eventsKey, events]] : undefined,
    );
    expect(outlook.outcome).toEqual({ kind: 'ok' });
  });

  it('ignores events that do not belong to the call', async () => {
    const { events } = await send(callOf('System', 'remark', { remark: '0x01' }));
    const outlook = await foretellOf(callOf('Utility', 'batch', { calls: [rename] }), (method) =>
      method === 'dev_dryRun' ? [[eventsKey, events]] : undefined,
    );
    expect(outlook.outcome).toEqual({ kind: 'unknown' });
  });

  it('succeeds without events if there are no nested calls', async () => {
    const call = callOf('System', 'remark', { remark: '0x01' });
    expect((await foretellOf(call, noMethod)).outcome).toEqual({ kind: 'ok' });
  });
});

it('does not call a valid transaction invalid if the best block is full: it goes into a later one', async () => {
  const call = callOf('System', 'remark', { remark: '0x01' });
  // Err(Invalid(ExhaustsResources)), as some runtimes return in a block that begins an epoch.
  const outlook = await foretellOf(call, (method) => (method === 'system_dryRun' ? '0x010006' : undefined));
  expect(outlook.validity?.kind).toBe('valid');
  expect(outlook.outcome).toBeNull();
  const { number } = (await request('chain_getHeader', [])) as { number: string };
  expect(outlook.later).toMatch(
    new RegExp(`^block #${Number(number)} is full\\. Some .* will go into the next block with room\\.$`),
  );
});

describe('with the dry run of the node itself', () => {
  it.each(cases)('%s.%s: has the same outcome as the real call', async (pallet, name, args, words) => {
    const call = callOf(pallet, name, args);
    const outlook = await foretellOf(call);
    expect(outlook.outcome).toMatchObject({ kind: 'failed', text: expect.stringContaining(words) });
    expect((await send(call)).outcome).toEqual(outlook.outcome);
  });

  it('succeeds for a batch that succeeds', async () => {
    const call = callOf('Utility', 'batch', { calls: [rename, rename] });
    expect((await foretellOf(call)).outcome).toEqual({ kind: 'ok' });
    expect((await send(call)).outcome).toEqual({ kind: 'ok' });
  });
});

it('the fee of a sudo call is the one that is paid: none', async () => {
  const call = callOf('Sudo', 'sudo', { call: { System: { remark: { remark: '0x01' } } } });
  const { info, outcome } = await foretellOf(call);
  expect([info?.fee, outcome?.kind]).toEqual([0n, 'ok']);
  const { events } = await send(call);
  const paid = decodeEvents(meta, events as string).filter(({ extrinsic }) => extrinsic === 1);
  expect(feeOf(paid)).toBe(0n);
  const batch = callOf('Utility', 'batch', { calls: [rename] });
  expect((await foretellOf(batch)).info?.fee).toBeGreaterThan(0n);
});

it('the pool refuses another transaction with the nonce of one that it has, unless it pays more', async () => {
  const call = callOf('System', 'remark', { remark: '0x01' });
  const facts = await loadFacts(node, aliceAddress, null);
  await request('author_submitExtrinsic', [await signCall(meta, call, alice, facts, options)]);
  const validityOf = async (change: Partial<SendOptions>) => {
    const question = { meta, call, signer: alice, options: { ...options, ...change } };
    return (await previewTransaction(node, question, { signal: new AbortController().signal })).validity;
  };
  const same = { nonce: facts.nonce };
  expect(await validityOf(same)).toMatchObject({
    kind: 'invalid',
    text: expect.stringMatching(/^The pool has/),
  });
  // As the pool itself decides.
  const again = await signCall(meta, call, alice, facts, { ...options, period: 128 });
  await expect(request('author_submitExtrinsic', [again])).rejects.toThrow(/too low/);
  expect(await validityOf({ ...same, tip: 1_000_000_000n })).toMatchObject({ kind: 'valid' });
  expect(await validityOf({})).toMatchObject({ kind: 'valid' });
  await request('dev_newBlock', []);
});

it('at genesis too, a transaction expires after the chosen number of blocks', async () => {
  await request('dev_reset', []);
  const call = callOf('System', 'remark', { remark: '0x01' });
  const { validity, later } = await foretellOf(call);
  expect(later).toBe('known from block #1 on, because genesis cannot check signatures');
  expect(validity).toMatchObject({ kind: 'valid', longevity: 63n });
  expect((await send(call)).outcome).toEqual({ kind: 'ok' });
});
