import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { openPort } from '../../test/rigs/ports.ts';
import { createNode } from '../../worker/node.ts';
import { palletCalls } from './calls.ts';
import { decodeValue } from './decode.ts';
import { encodeCall } from './extrinsic.ts';
import { fromHex } from './hex.ts';
import { createLookup } from './lookup.ts';
import { createMeanings, meaningText, percentText, readPercent, type Words, wholeOf } from './meanings.ts';
import { perbill } from './perbill.fixture.ts';
import { createRuntimeMeta } from './runtime.ts';
import { decodeStored, storageEntries, storageEntry } from './storage.ts';
import type { Decoded, Meaning, RuntimeMeta } from './types.ts';

let meta: RuntimeMeta;

beforeAll(async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  meta = createRuntimeMeta(fromHex(String(await openPort(node).request('state_getMetadata', []))));
  await node.close();
});

const words: Words = {
  amount: (value) => `${value} UNIT`,
  moment: (ms) => new Date(ms).toISOString(),
  number: String,
  bytes: (value) => `${value.length} bytes`,
  weight: (refTime, proofSize) => `${refTime} ps, ${proofSize} bytes`,
};

/** The fields with a meaning of the variants of a pallet's calls or events, as `Pallet.variant.field`. */
const fieldsWith = (wanted: Meaning, kind: 'calls' | 'events', { metadata, lookup } = meta): string[] =>
  metadata.pallets.flatMap((pallet) => {
    const entry = lookup(pallet[kind]?.type ?? 0);
    if (pallet[kind] === undefined || entry.type !== 'enum') return [];
    return Object.entries(entry.value).flatMap(([name, { inner }]) =>
      Object.entries(inner?.type === 'struct' ? inner.meanings : {}).flatMap(([field, meaning]) =>
        meaning === wanted ? [`${pallet.name}.${name}.${field}`] : [],
      ),
    );
  });

describe('amounts in the chain’s unit', () => {
  it('are found in calls and events, and no balances of assets', () => {
    const calls = fieldsWith('amount', 'calls');
    expect(calls).toEqual(
      expect.arrayContaining([
        'Balances.transfer_keep_alive.value',
        'Balances.force_set_balance.new_free',
        'Contracts.call.value',
        'Contracts.upload_code.storage_deposit_limit',
      ]),
    );
    expect(calls.filter((name) => !/^(Balances|Contracts)[.]/.test(name))).toEqual([]);
    const events = fieldsWith('amount', 'events');
    expect(events).toEqual(
      expect.arrayContaining([
        'Balances.Transfer.amount',
        'TransactionPayment.TransactionFeePaid.actual_fee',
        'Proxy.DepositPoked.old_deposit',
      ]),
    );
    expect(events.filter((name) => /^Assets[.]|[.](from|to|who)$/.test(name))).toEqual([]);
  });

  it('are none of pallet-balances if another pallet has its name: it moves a different currency', () => {
    const pallets = meta.metadata.pallets.map((pallet) =>
      pallet.name === 'Balances' ? { ...pallet, name: 'Second' } : pallet,
    );
    const metadata = { ...meta.metadata, pallets } as RuntimeMeta['metadata'];
    const other = { ...meta, metadata, lookup: createLookup(metadata) };
    expect(fieldsWith('amount', 'calls', other).filter((name) => !name.startsWith('Contracts.'))).toEqual([]);
    expect(createMeanings(metadata).ofEntry('Balances', 'TotalIssuance')).toBeNull();
  });

  it('are the issuance of Balances among stored values', () => {
    const entries = ['Balances', 'System', 'Assets'].flatMap((pallet) => storageEntries(meta, pallet));
    const amounts = entries.filter(({ meaning }) => meaning === 'amount');
    expect(amounts.map(({ pallet, name }) => `${pallet}.${name}`)).toEqual([
      'Balances.TotalIssuance',
      'Balances.InactiveIssuance',
    ]);
  });

  it('are in the data of System.Account, which is written in one line', () => {
    const entry = storageEntry(meta, 'System', 'Account');
    if (entry === null) throw new Error('no System.Account');
    const u128 = (value: number) => value.toString(16).padStart(2, '0').padEnd(32, '0');
    const hex = `0x030000000100000001000000${'00'.repeat(4)}${u128(5)}${u128(7)}${u128(0)}${u128(9)}`;
    const text = (value: Decoded | undefined) => value && meaningText(value, words);
    const stored = decodeStored(meta, entry, hex)?.value;
    expect(text(stored)).toBe('5 UNIT · reserved 7 UNIT · nonce 3');
    // The same data elsewhere may belong to a second instance with a different currency.
    const data = meta.lookup(entry.value);
    const inner = data.type === 'struct' ? data.value['data'] : undefined;
    expect(inner?.type === 'struct' && inner.meanings).toEqual({
      ...{ free: 'amount', reserved: 'amount', frozen: 'amount', flags: 'flags' },
    });
    const own = meta.lookup(inner?.id ?? -1);
    expect(own.type === 'struct' && own.meanings).toEqual({ flags: 'flags' });
    expect(text({ ...(stored as Decoded), kind: 'struct', fields: [] } as Decoded)).toBeNull();
  });
});

it('the time of a block is a moment', () => {
  const bytes = encodeCall(meta, 'Timestamp', 'set', { now: '1795360530000' });
  const texts: string[] = [];
  const walk = (value: Decoded): void => {
    const text = meaningText(value, words);
    if (text !== null) texts.push(text);
    if (value.kind === 'variant' && value.value !== null) walk(value.value);
    if (value.kind === 'struct') for (const field of value.fields) walk(field.value);
  };
  walk(decodeValue(meta, meta.callType ?? -1, bytes));
  expect(texts).toEqual(['2026-11-22T15:15:30.000Z']);
  expect(storageEntry(meta, 'Timestamp', 'Now')?.meaning).toBe('moment');
});

describe('parts of a whole', () => {
  it('are written in percent, alone and compact', () => {
    const own = { ...meta, lookup: () => perbill, typeName: () => 'Compact<Perbill>' };
    const value = decodeValue(own, 0, Uint8Array.of(0x40, 0x59, 0x73, 0x07));
    expect(meaningText(value, words)).toBe('12.5%');
    const { lookup } = meta.metadata;
    const at = lookup.length;
    const u32 = lookup.findIndex(({ def }) => def.tag === 'primitive' && def.value.tag === 'u32');
    const def = { tag: 'composite', value: [{ name: undefined, type: u32, docs: [] }] };
    const added = [
      { ...lookup[0], id: at, path: perbill.path, def },
      { ...lookup[0], id: at + 1, path: [], def: { tag: 'compact', value: at } },
      { ...lookup[0], id: at + 2, path: ['my_pallet', 'Perbill'], def },
    ] as unknown as typeof lookup;
    const entryOf = createLookup({
      ...meta.metadata,
      lookup: [...lookup, ...added],
    } as RuntimeMeta['metadata']);
    expect([at, at + 1, at + 2].map((id) => entryOf(id).meaning)).toEqual(['part', 'part', null]);
    // Its editor reads from the path how many parts are the whole.
    expect(wholeOf(entryOf(at + 1).path)).toBe(10n ** 9n);
    expect(wholeOf(['sp_arithmetic', 'per_things', 'Percent'])).toBe(100n);
  });

  it('are exact where their digits end, and typed as they are written', () => {
    expect(percentText(10n ** 9n, 10n ** 9n)).toBe('100%');
    expect(percentText(0n, 100n)).toBe('0%');
    expect(percentText(1n, 10n ** 18n)).toBe('0.0000000000000001%');
    expect(percentText(1n, 65535n)).toMatch(/^0[.]0015259\d+%$/);
    for (const parts of [0n, 1n, 123_456_789n, 10n ** 9n])
      expect(readPercent(percentText(parts, 10n ** 9n), 10n ** 9n)).toBe(parts);
    for (const text of ['12', '1,5%', '101%', '-1%', '0.00000001%', '%'])
      expect(readPercent(text, 10n ** 9n), text).toBeNull();
  });
});

it('an era is written by how long it lasts', () => {
  const era = (name: string, value: Decoded | null): Decoded => ({
    ...{ kind: 'variant', type: 'Era', start: 0, end: 2, docs: '', meaning: 'era' },
    ...{ name, value },
  });
  const byte: Decoded = { kind: 'number', type: 'u8', start: 1, end: 2, value: 1 };
  expect(meaningText(era('Immortal', null), words)).toBe('immortal');
  expect(meaningText(era('Mortal53', byte), words)).toBe('64 blocks, phase 19');
});

it('every call has its arguments as one value', () => {
  for (const { name } of meta.metadata.pallets)
    for (const call of palletCalls(meta, name))
      expect(call.args === null || call.args.type === 'struct', call.label).toBe(true);
});
