import { afterAll, beforeAll, expect, it } from 'vitest';
import { methodResults } from '../../src/protocol/rpc/results/results.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { type DevNode, rejection, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
beforeAll(async () => {
  dev = await startDevNode();
  await dev.call('dev_newBlock');
});
afterAll(() => dev.stop());

const unit = 10n ** 12n;

it('dev_setBlockBuildMode sets the seal mode by the names of chopsticks', async () => {
  const modeAfter = async (mode: string): Promise<unknown> => {
    expect(await dev.call('dev_setBlockBuildMode', mode)).toBeNull();
    return (await dev.node.status()).seal;
  };
  expect(await modeAfter('Instant')).toEqual({ kind: 'instant' });
  expect(await modeAfter('Manual')).toEqual({ kind: 'manual' });
  expect(await modeAfter('Batch')).toEqual({ kind: 'instant' });
  await modeAfter('Manual');
  for (const wrong of ['manual', 3])
    expect(await rejection(dev.call('dev_setBlockBuildMode', wrong))).toMatchObject({
      code: -32602,
      data: expect.stringContaining('Batch, Instant, Manual'),
    });
});

it('dev_setRuntimeLogLevel decides what the runtime logs', async () => {
  const { logFilter } = dev.node.parts.executor;
  const allowsAfter = async (level: number): Promise<boolean[]> => {
    expect(await dev.call('dev_setRuntimeLogLevel', level)).toBeNull();
    const filter = logFilter as typeof logFilter & { allows(target: string, level: number): boolean };
    return [0, 2, 4].map((one) => filter.allows('runtime::system', one));
  };
  await dev.call('system_addLogFilter', 'runtime=trace');
  expect(await allowsAfter(1)).toEqual([true, false, false]);
  expect(await allowsAfter(0)).toEqual([false, false, false]);
  expect(await allowsAfter(5)).toEqual([true, true, true]);
  expect(await allowsAfter(3)).toEqual([true, true, false]);
  expect(await rejection(dev.call('dev_setRuntimeLogLevel', 6))).toMatchObject({
    data: expect.stringContaining('from 0 (off) to 5 (trace)'),
  });
});

it('dev_getReadProof names the root that the proof is for, also of an edited state', async () => {
  type Proof = { at: string; proof: string[]; stateRoot: string };
  const { blake2b256 } = dev.node.parts.crypto;
  const key = dev.itemKey('Chopsticks', 'Item');
  const { stateRoot } = await dev.call<{ stateRoot: string }>('chain_getHeader');
  const before = await dev.call<Proof>('dev_getReadProof', [key]);
  expect(before).toMatchObject({ at: dev.best().hash, stateRoot });
  expect(before.proof).toEqual((await dev.call<Proof>('state_getReadProof', [key])).proof);
  await dev.call('dev_setStorage', [[key, '0x01']]);
  const after = await dev.call<Proof>('dev_getReadProof', [key]);
  expect(after.stateRoot).not.toBe(stateRoot);
  expect(after.proof.map((node) => bytesToHex(blake2b256(hexToBytes(node))))).toContain(after.stateRoot);
  await dev.call('dev_setStorage', [[key, null]]);
});

type Change = {
  raw?: { key: string; value: string | null };
  parsed?: { section: string; method: string; key: unknown[]; value: unknown };
};
type Ran = {
  phases: { phase: string | number; storageDiff: Change[]; logs: string[] }[];
  blockDetails?: {
    events: { phase: string | number; section: string; method: string; argObj: Record<string, unknown> }[];
    extrinsics: { section: string; method: string; success: boolean; signer: string | null }[];
  };
};

it('dev_runBlock executes a block that need not be in the chain', async () => {
  const parent = dev.best().hash;
  const to = dev.pair('//Zoe').publicKey;
  await dev.call('dev_newBlock', { transactions: [await dev.transfer('//Alice', to, unit, 0)] });
  const { block } = await dev.call<{ block: { header: object; extrinsics: string[] } }>('chain_getBlock');
  await dev.call('dev_setHead', parent);
  // With another root, and so another hash: nobody has this block.
  const header = { ...block.header, stateRoot: `0x${'00'.repeat(32)}` };
  const request = { block: { ...block, header }, parent };
  const raw = await dev.call<Ran>('dev_runBlock', request);
  expect(methodResults.dev_runBlock.schema.safeParse(raw).success).toBe(true);
  expect(raw.phases.map(({ phase }) => phase)).toEqual(['Initialization', 0, 1, 'Finalization']);
  const changed = raw.phases[2]?.storageDiff.map((one) => one.raw?.key);
  expect(changed).toContain(dev.accountKey(to));
  expect(changed).not.toContain(dev.itemKey('System', 'Events'));
  expect(raw.blockDetails).toBeUndefined();
  const named = await dev.call<Ran>('dev_runBlock', {
    ...request,
    includeRaw: false,
    includeParsed: true,
    includeBlockDetails: true,
  });
  const parsed = named.phases[2]?.storageDiff.map((one) => one.parsed);
  expect(named.phases.flatMap(({ storageDiff }) => storageDiff).some(({ raw: one }) => one)).toBe(false);
  expect(parsed).toContainEqual({
    section: 'system',
    method: 'account',
    key: [dev.pair('//Zoe').address],
    value: expect.objectContaining({ nonce: 0, data: expect.objectContaining({ free: `${unit}` }) }),
  });
  expect(named.blockDetails?.extrinsics).toMatchObject([
    { section: 'timestamp', method: 'set', success: true, signer: null },
    {
      section: 'balances',
      method: 'transferAllowDeath',
      success: true,
      signer: bytesToHex(dev.pair('//Alice').publicKey),
    },
  ]);
  expect(named.blockDetails?.events).toContainEqual(
    expect.objectContaining({ phase: 1, section: 'balances', method: 'Transfer' }),
  );
  expect(dev.best().hash).toBe(parent);
});

it('dev_runBlock refuses what is no block, and a block that the runtime refuses', async () => {
  const { block } = await dev.call<{ block: { header: object; extrinsics: string[] } }>('chain_getBlock');
  for (const [params, expected] of [
    [{ block: 1 }, { code: -32602 }],
    [{ block, more: 1 }, { code: -32602 }],
    [{ block: { extrinsics: [] } }, { code: 1, data: 'BadBlock' }],
    [{ block: { ...block, extrinsics: ['0x0484'] } }, { code: 1, data: 'BadBlock' }],
    [{ block, parent: `0x${'11'.repeat(32)}` }, { code: expect.any(Number) }],
  ] as const)
    expect(await rejection(dev.call('dev_runBlock', params))).toMatchObject(expected);
});

it('dev_dryRun shows what the rest of the block changes apart from the extrinsic', async () => {
  type Changes = { old: Record<string, unknown>; new: Record<string, Record<string, unknown>> };
  const extrinsic = await dev.transfer('//Alice', dev.pair('//Zoe').publicKey, unit, 0);
  const plain = await dev.call<Changes>('dev_dryRun', { extrinsic });
  const ran = await dev.call<Changes & { hooks: { initialization: Changes; finalization: Changes } }>(
    'dev_dryRun',
    { extrinsic, hooks: true },
  );
  const { hooks, ...own } = ran;
  expect(own).toEqual(plain);
  expect(methodResults.dev_dryRun.schema.safeParse(ran).success).toBe(true);
  expect(Object.keys(own.new)).not.toContain('timestamp');
  expect(hooks.initialization.new['timestamp']).toHaveProperty('now');
  expect(hooks.initialization.new['system']).not.toHaveProperty('account');
  // Set by the inherent, and taken when the block ends.
  expect(hooks.finalization.old['timestamp']).toEqual({ didUpdate: true });
  expect(await rejection(dev.call('dev_dryRun', { extrinsic, raw: true, hooks: true }))).toMatchObject({
    data: expect.stringContaining('leave out `hooks`'),
  });
});

it('dev_newBlock names what it does not build, and what to do instead', async () => {
  for (const [options, text] of [
    [{ unsafeBlockHeight: -1 }, /`unsafeBlockHeight` is not a u32/],
    [{ relayParentNumber: 1 }, /this chain stands alone/],
    [{ relayChainStateOverrides: [] }, /this chain stands alone/],
  ] as const)
    expect(await rejection(dev.call('dev_newBlock', options))).toMatchObject({
      code: -32602,
      data: expect.stringMatching(text),
    });
});

it('accounts of Ethereum are refused by a runtime that has others, and the other way round it is in ethereum.test.ts', async () => {
  const address = '0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac';
  for (const call of [
    dev.call('dev_dryRun', { extrinsic: { call: '0x00000400', address } }),
    dev.call('dev_impersonate', address),
    dev.call('dev_fund', address, '1'),
  ])
    expect(await rejection(call)).toMatchObject({
      code: 1,
      data: 'BadValue',
      message: expect.stringContaining('is no account of this runtime, whose accounts are addresses (SS58)'),
    });
});
