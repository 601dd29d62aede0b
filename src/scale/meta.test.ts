import { Keyring } from '@polkadot/keyring';
import { blake2AsU8a, cryptoWaitReady } from '@polkadot/util-crypto';
import { compactBn, compactNumber } from '@polkadot-api/substrate-bindings';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi } from '../../test/rigs/api.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { attempt } from '../../ui/kit/text/format.ts';
import { keysText, summaryText } from '../../ui/node/storage/summary.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { parseJson, writeJson } from '../protocol/json.ts';
import { createCursor, takeCompact } from './cursor.ts';
import { decodeValue } from './decode.ts';
import { dryRunText } from './dry-run.ts';
import { EncodeFault, encodeJson, tryInteger } from './encode.ts';
import { decodeEvents, eventsKey, outcomeOf } from './events.ts';
import { commonExtensions, decodeExtrinsic, encodeCall, prepareExtrinsic, signerOf } from './extrinsic.ts';
import { headerHash } from './hash.ts';
import { fromHex, toHex } from './hex.ts';
import { decodedToJson } from './json.ts';
import { createMetaLoader } from './load.ts';
import { callName, eventName } from './names.ts';
import { decodeKey, decodeStored, encodeKey, explainKey, storageEntries, storageEntry } from './storage.ts';
import type { Decoded, Json, RuntimeMeta, StorageItemMeta } from './types.ts';

type Opened = Awaited<ReturnType<typeof openApi>>;
type Send = (method: string, params: readonly unknown[]) => Promise<unknown>;

let node: Node;
let opened: Opened;
let meta: RuntimeMeta;
let send: Send;
const keyring = new Keyring({ type: 'sr25519', ss58Format: 42 });

beforeAll(async () => {
  await cryptoWaitReady();
  node = await createNode(createTestPlatform(), testConfig('development'));
  opened = await openApi(node);
  const provider = opened.api as unknown as { _rpcCore: { provider: { send: Send } } };
  send = (method, params) => provider._rpcCore.provider.send(method, params);
  meta = await createMetaLoader({ request: send }).at(null);
});
afterAll(async () => {
  await opened.close();
  await node.close();
});

/**
 * Submits a call from Alice, encoded by our code and signed by another library; returns the hash of its
 * block.
 */
const submit = async (call: Uint8Array): Promise<string> => {
  const alice = keyring.addFromUri('//Alice');
  const nonce = Number(await send('system_accountNextIndex', [alice.address]));
  const version = (await send('state_getRuntimeVersion', [])) as Record<string, number>;
  const best = (await send('chain_getHeader', [])) as { number: string };
  const hash = String(await send('chain_getBlockHash', []));
  const unsigned = prepareExtrinsic(
    meta,
    call,
    commonExtensions({
      nonce,
      tip: 5n,
      specVersion: version['specVersion'] ?? 0,
      transactionVersion: version['transactionVersion'] ?? 0,
      genesisHash: opened.api.genesisHash.toHex(),
      mortal: { period: 64, number: Number(best.number), hash },
    }),
    (bytes) => blake2AsU8a(bytes),
  );
  const signature = toHex(alice.sign(unsigned.payload));
  await send('author_submitExtrinsic', [unsigned.finish({ Id: alice.address }, { Sr25519: signature })]);
  const block = (await send('engine_createBlock', [true, true])) as { hash: string };
  return block.hash;
};

describe('the metadata of the default runtime', () => {
  it('decodes every pair of the state, and encodes each value back to its bytes', async () => {
    const pairs = (await send('state_getPairs', ['0x'])) as [string, string][];
    let decoded = 0;
    for (const [key, value] of pairs) {
      const meaning = explainKey(meta, key);
      if (meaning.kind !== 'entry') continue;
      const stored = decodeStored(meta, meaning.entry, value);
      expect(stored, key).not.toBe(null);
      if (stored === null) continue;
      const json = decodedToJson(stored.value);
      expect(toHex(encodeJson(meta, meaning.entry.value, json)), meaning.entry.name).toBe(value);
      decoded += 1;
    }
    expect(decoded).toBeGreaterThan(30);
  });

  it('hashes the prefixes of a runtime once, because every row of a flood of notifications explains a key', () => {
    expect(storageEntries(meta, 'System')).toBe(storageEntries(meta, 'System'));
    const number = storageEntry(meta, 'System', 'Number')?.prefix ?? '';
    expect(explainKey(meta, number)).toMatchObject({ kind: 'entry', entry: { name: 'Number' } });
    expect(explainKey(meta, number.slice(0, 40))).toEqual({ kind: 'pallet', pallet: 'System' });
    expect(explainKey(meta, '0x26aa')).toEqual({ kind: 'unknown' });
  });

  it('encodes the same keys as polkadot-js, and decodes them', () => {
    const address = keyring.addFromUri('//Bob').address;
    const entry = storageEntry(meta, 'System', 'Account');
    if (entry === null) throw new Error('no System.Account');
    const key = encodeKey(meta, entry, [address]);
    expect(key).toBe(opened.api.query['system']?.['account']?.key(address));
    expect(decodeKey(meta, entry, key)).toMatchObject([{ kind: 'value', value: { value: address } }]);
    for (const [pallet, items] of Object.entries(opened.api.query))
      for (const query of Object.values(items)) {
        const name = query.creator.meta.name.toString();
        const own = storageEntry(meta, query.creator.prefix, name);
        if (own !== null) expect(own.prefix, `${pallet}.${name}`).toBe(query.keyPrefix());
      }
  });

  it('builds a transaction that the node accepts, and decodes it and its events', async () => {
    const dest = { Id: keyring.addFromUri('//Bob').address };
    const hash = await submit(
      encodeCall(meta, 'Balances', 'transfer_keep_alive', { dest, value: '1_000_000_000_000' }),
    );
    const { block } = (await send('chain_getBlock', [hash])) as { block: { extrinsics: string[] } };
    const all = block.extrinsics.map((hex) => decodeExtrinsic(meta, hex));
    const index = all.findIndex(({ kind }) => kind === 'signed');
    const signed = all[index];
    if (signed === undefined) throw new Error('not included');
    expect(callName(signed.call)).toBe('Balances.transfer_keep_alive');
    expect(signerOf(signed)).toBe(toHex(keyring.addFromUri('//Alice').publicKey));
    const events = decodeEvents(meta, (await send('state_getStorage', [eventsKey, hash])) as string);
    const names = events.filter(({ extrinsic }) => extrinsic === index).map(({ event }) => eventName(event));
    expect(names).toContain('Balances.Transfer');
    const moved = events.find(({ event }) => eventName(event) === 'Balances.Transfer');
    expect(summaryText(moved?.event as Decoded, (amount) => `${amount} units`)).toContain(
      'amount: 1000000000000 units',
    );
    expect(outcomeOf(meta, events, index)).toEqual({ kind: 'ok' });
  });

  it('recognizes the moment of Timestamp.set, and writes it as a date', () => {
    const bytes = encodeCall(meta, 'Timestamp', 'set', { now: '1795360530000' });
    const call = decodeValue(meta, meta.callType ?? -1, bytes);
    expect(summaryText(call)).toBe('Timestamp.set { now: 2026-11-22 15:15:30 UTC }');
    const remark = encodeCall(meta, 'System', 'remark', { remark: '0x01' });
    expect(summaryText(decodeValue(meta, meta.callType ?? -1, remark))).not.toContain('UTC');
  });

  it('names a map entry by its readable keys, with opaque hashes last', () => {
    const entry = storageEntry(meta, 'System', 'Account');
    if (entry === null) throw new Error('no accounts');
    const [part] = entry.keys;
    if (part === undefined) throw new Error('no key');
    const key = encodeKey(meta, entry, [keyring.addFromUri('//Alice').address]);
    expect(keysText(decodeKey(meta, entry, key))).toBe('Alice');
    const opaque = { ...entry, keys: [{ ...part, hasher: 'Blake2128' as const }, part] };
    const both = `${entry.prefix}${'ab'.repeat(16)}${key.slice(entry.prefix.length)}`;
    expect(keysText(decodeKey(meta, opaque, both))).toBe('Alice, hash 0xabab…abab');
  });

  it('parses typed whole numbers, and returns null for anything else', () => {
    expect(tryInteger('1_000')).toBe(1000n);
    expect(tryInteger('12.5')).toBeNull();
    expect(['1e18', '1.5e3', '1e-3', '1.55e1'].map(tryInteger)).toEqual([10n ** 18n, 1500n, null, null]);
    expect(tryInteger(null)).toBeNull();
  });

  it('says why a dispatch failed', async () => {
    const delegate = { Id: keyring.addFromUri('//Bob').address };
    const hash = await submit(
      encodeCall(meta, 'Proxy', 'remove_proxy', { delegate, proxy_type: 'Any', delay: 0 }),
    );
    const events = decodeEvents(meta, (await send('state_getStorage', [eventsKey, hash])) as string);
    const outcomes = [0, 1, 2, 3].map((index) => outcomeOf(meta, events, index));
    expect(outcomes.filter(({ kind }) => kind === 'failed')).toMatchObject([
      { text: 'Proxy.NotFound: Proxy registration not found.' },
    ]);
    expect(events.map(({ event }) => summaryText(event)).join('\n')).toContain(
      'dispatch_error: Proxy.NotFound: Proxy registration not found.',
    );
    expect(dryRunText(meta, '0x0000')).toEqual({ kind: 'ok' });
    expect(dryRunText(meta, '0x00010001')).toMatchObject({ kind: 'failed' });
    expect(dryRunText(meta, '0x010003')).toEqual({
      kind: 'failed',
      text: 'not valid: Stale: Transaction is outdated',
    });
  });

  it('calls a transaction failed if a call nested in it failed', async () => {
    const call = {
      Balances: {
        transfer_keep_alive: { dest: { Id: keyring.addFromUri('//Bob').address }, value: `${10n ** 30n}` },
      },
    };
    const hash = await submit(
      encodeCall(meta, 'Sudo', 'sudo_as', { who: { Id: keyring.addFromUri('//Bob').address }, call }),
    );
    const events = decodeEvents(meta, (await send('state_getStorage', [eventsKey, hash])) as string);
    expect(events.map(({ event }) => eventName(event))).not.toContain('System.ExtrinsicFailed');
    const outcomes = [0, 1, 2, 3].map((index) => outcomeOf(meta, events, index));
    expect(outcomes.filter(({ kind }) => kind === 'failed')).toMatchObject([
      { text: expect.stringMatching(/^Sudo[.]SudoAsDone: Arithmetic[.]Underflow:/) },
    ]);
  });

  it('gives each field its byte range, without gaps', () => {
    const entry = storageEntry(meta, 'System', 'Account');
    if (entry === null) throw new Error('no System.Account');
    const bytes = fromHex(entry.fallback ?? '0x');
    const value = decodeValue(meta, entry.value, bytes);
    if (value.kind !== 'struct') throw new Error(value.kind);
    expect(value.fields.map(({ value: { start } }) => start)[0]).toBe(0);
    value.fields.reduce((end, field) => {
      expect(field.value.start).toBe(end);
      return field.value.end;
    }, 0);
    expect(value.end).toBe(bytes.length);
  });

  it('names the field that cannot be encoded', () => {
    const wrong = (args: Parameters<typeof encodeCall>[3]) => () =>
      encodeCall(meta, 'Balances', 'transfer_keep_alive', args);
    expect(wrong({ dest: { Id: 'nobody' }, value: 1 })).toThrow(/dest\.Id: enter an SS58 address/);
    expect(wrong({ dest: { Id: `0x${'11'.repeat(32)}` }, value: -1 })).toThrow(EncodeFault);
    expect(wrong({ value: 1 })).toThrow(/dest/);
    const dest = { Id: `0x${'11'.repeat(32)}` };
    expect(wrong({ dest, value: 1.5 })).toThrow('value: enter a whole number');
    expect(wrong({ dest, value: 1e21 })).toThrow('value: enter a whole number with all its digits');
    expect(wrong({ dest, value: null })).toThrow('value: enter a whole number');
    expect(wrong({ dest, value: { of: 1 } })).toThrow('value: enter a whole number');
    // A fraction in many languages, and not a group of three digits.
    for (const value of ['1,5', '1 5', '1_5', '1__000'])
      expect(wrong({ dest, value })).toThrow('value: enter a whole number');
    expect(wrong({ dest, value: '1,234,567' })).not.toThrow();
    expect(wrong({ dest, value: '' })).toThrow('value: enter a whole number');
    expect(wrong({ dest, value: -1 })).toThrow(/value: enter a number between 0 and 34/);
  });

  it('encodes whole numbers of any size from typed JSON, digit for digit', () => {
    const dest = { Id: `0x${'11'.repeat(32)}` };
    for (const digits of ['9007199254740993', '18446744073709551615', `${2n ** 128n - 1n}`]) {
      const typed = parseJson(writeJson({ dest, value: BigInt(digits) }));
      const bytes = encodeCall(meta, 'Balances', 'transfer_keep_alive', typed as Json);
      expect(bytes).toEqual(encodeCall(meta, 'Balances', 'transfer_keep_alive', { dest, value: digits }));
      const call = decodedToJson(decodeValue(meta, meta.callType ?? -1, bytes));
      expect(call).toMatchObject({ Balances: { transfer_keep_alive: { value: digits } } });
    }
  });
});

describe('random bytes', () => {
  it('a compact integer has one form, the shortest', () => {
    const read = (hex: string) => takeCompact(createCursor(fromHex(hex)));
    const vectors = [
      ...['0x00', '0xfc', '0x0101', '0xfdff', '0x02000100', '0xfeffffff', '0x0300000040', '0x03ffffffff'],
      ...['0x070000000001', '0x0bffffffffff01', '0x13ffffffffffffff01', `0x33${'ff'.repeat(16)}`],
    ];
    for (const hex of vectors) expect(toHex(compactBn.enc(read(hex))), hex).toBe(hex);
    const longer = [
      ...['0x0100', '0xfd00', '0x02010000', '0xfeff0000', '0x03ffffff3f', '0x070000004000'],
      ...['0x07ffffffff00', '0x0bffffffff0100', '0x13ffffffffffff0100', `0x33${'ff'.repeat(15)}00`],
    ];
    for (const hex of longer) expect(() => read(hex), hex).toThrow('could be shorter');
  });

  it('an extrinsic is read if the runtime reads it, and only then', async () => {
    const facts = { nonce: 70, tip: 0n, specVersion: 0, transactionVersion: 0 };
    const [number, hash] = [70, `0x${'00'.repeat(32)}`];
    const dest = { Id: `0x${'11'.repeat(32)}` };
    const remark = { System: { remark: { remark: '0x0102' } } };
    const transfer = { Balances: { transfer_keep_alive: { dest, value: 70 } } };
    const weight = { ref_time: 70, proof_size: 70 };
    const calls = [
      ...[remark, transfer, { Timestamp: { set: { now: 70 } } }],
      ...[{ Utility: { batch: { calls: [remark, transfer] } } }],
      ...[{ Utility: { with_weight: { call: remark, weight } } }],
    ].map((call) => encodeJson(meta, meta.callType ?? -1, call));
    const bodies = calls.flatMap((call) =>
      [null, 64, 4096].map((period) => {
        const mortal = period === null ? null : { period, number, hash };
        const values = commonExtensions({ ...facts, genesisHash: hash, mortal });
        const { finish } = prepareExtrinsic(meta, call, values, blake2AsU8a);
        return [...fromHex(finish(dest, { Sr25519: `0x${'00'.repeat(64)}` })).subarray(2)];
      }),
    );
    const signatureEnd = 1 + 33 + 65;
    const long = fc
      .uint8Array({ minLength: 4, maxLength: 17 })
      .map((bytes) => [((bytes.length - 4) << 2) | 3, ...bytes]);
    const part = fc.oneof(long, fc.uint8Array({ maxLength: 3 }));
    const refused: string[] = [];
    const property = fc.asyncProperty(
      fc.constantFrom(...bodies),
      fc.nat(),
      fc.nat(4),
      part,
      async (body, at, count, bytes) => {
        const place = signatureEnd + (at % (body.length - signatureEnd));
        const edited = Uint8Array.from(body.toSpliced(place, count, ...bytes));
        const hex = toHex(Uint8Array.of(...compactNumber.enc(edited.length), ...edited));
        const { fault } = attempt(() => decodeExtrinsic(meta, hex));
        const read = send('state_call', [
          'TaggedTransactionQueue_validate_transaction',
          `0x02${hex.slice(2)}${hash.slice(2)}`,
        ]);
        const theirs = await read.then(String, String);
        if (fault !== null) refused.push(fault);
        expect(theirs.startsWith('0x'), `${hex}: ${fault} ${theirs}`).toBe(fault === null);
      },
    );
    await fc.assert(property, { numRuns: 1500 });
    for (const why of ['could be shorter', 'is not within', 'is not a u'])
      expect(refused.join('\n')).toContain(why);
  });

  it('either decode to a value that encodes back, or throw DecodeFault', () => {
    const types = meta.metadata.pallets
      .flatMap((pallet) => pallet.storage?.items ?? [])
      .map((item: StorageItemMeta) => (item.type.tag === 'plain' ? item.type.value : item.type.value.value));
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 200 }), (type, bytes) => {
        let json: ReturnType<typeof decodedToJson>;
        try {
          json = decodedToJson(decodeValue(meta, type, bytes));
        } catch (fault) {
          expect(fault).toMatchObject({ name: 'DecodeFault' });
          return;
        }
        expect(encodeJson(meta, type, json)).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it('hashes a header as the node does', async () => {
    const hash = await send('chain_getBlockHash', []);
    const header = (await send('chain_getHeader', [])) as Parameters<typeof headerHash>[0];
    expect(headerHash(header)).toBe(hash);
  });
});
