import { afterEach, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { decodeGrandpaJustification, readFinalityProof } from '../../worker/consensus/grandpa/codec.ts';
import { encodeVotes, signPrecommit } from '../../worker/consensus/grandpa/votes.fixture.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Database } from '../../worker/db/database.ts';
import { loadRecordedBlocks } from '../chain/recorded-chain.ts';
import { type DevNode, lastingDatabase, rejection, startDevNode } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixture, loadFixtureText } from '../rigs/fixtures.ts';
import { connectRpc } from '../rigs/rpc.ts';

let dev: DevNode;
afterEach(() => dev.stop());

type SignedBlock = {
  block: object;
  justification?: string | null;
  justifications: [number[], number[]][] | null;
};
const frnk = [...new TextEncoder().encode('FRNK')];

/** Calls under psp-6; `dev.call` uses polkadot-sdk. */
const psp = (method: string, ...params: unknown[]) =>
  connectRpc(dev.node, { dialect: 'psp-6' }).call<SignedBlock>(method, ...params);

const blocks = hasFixtures ? await loadRecordedBlocks() : [];

describe.skipIf(!hasFixtures)('justifications of the recorded chain', () => {
  const start = async (db?: Database): Promise<void> => {
    const chain = { specJson: await loadFixtureText('sdk-node/spec.json') };
    const changes = { finality: { kind: 'manual' } } as const;
    dev = await startDevNode({ chain, changes, ...(db === undefined ? {} : { db }) });
  };
  const proofOf = (number: number): string => {
    const [, proof = []] = blocks[number - 1]?.justifications?.[0] ?? [];
    return bytesToHex(Uint8Array.from(proof as readonly number[]));
  };
  const importTo = async (last: number, without: readonly number[] = []): Promise<void> => {
    for (let number = dev.best().number + 1; number <= last; number++) {
      const block = blocks[number - 1] as (typeof blocks)[0];
      await dev.node.importBlock(without.includes(number) ? { ...block, justifications: null } : block);
    }
  };
  const hashAt = (number: number) => dev.call<string>('chain_getBlockHash', number);
  const blockAt = async (number: number) => psp('chain_getBlock', await hashAt(number));
  const finalize = async (number: number, proof: string) =>
    dev.call('engine_finalizeBlock', await hashAt(number), [frnk, [...hexToBytes(proof)]]);

  it('finalizes by the first one, and by one that changes the set; these are stored with their blocks', async () => {
    await start();
    const told = await dev.follow('grandpa_subscribeJustifications');
    await importTo(63);
    expect([dev.best().number, dev.finalized().number]).toEqual([63, 41]);
    await dev.call('system_name');
    expect(told).toEqual([proofOf(8), proofOf(41)]);
    for (const number of [8, 41])
      expect(await blockAt(number)).toMatchObject({
        justification: proofOf(number),
        justifications: [[frnk, [...hexToBytes(proofOf(number))]]],
      });
    for (const number of [7, 14, 46])
      expect(await blockAt(number)).toMatchObject({ justification: null, justifications: null });
    expect(Object.keys(await dev.call<object>('chain_getBlock', await hashAt(8)))).toEqual([
      'block',
      'justifications',
    ]);
  });

  it('proves finality: for a height, and for a range of blocks', async () => {
    await start();
    await importTo(63);
    const whole = await dev.call<string>('grandpa_proveFinality', 30);
    const proof = readFinalityProof(new Reader(hexToBytes(whole)));
    expect(proof.unknownHeaders.map(({ number }) => number)).toEqual([
      31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41,
    ]);
    expect(decodeGrandpaJustification(proof.justification).targetNumber).toBe(41);
    expect(await psp('grandpa_proveFinality', '0x1e')).toBe(whole);
    const range = [await hashAt(3), await hashAt(30)] as const;
    expect(await dev.call('grandpa_proveFinality', ...range)).toBe(`0x04${whole.slice(2)}`);
    expect(await dev.call('grandpa_proveFinality', ...range, 0)).toBe(`0x04${whole.slice(2)}`);
    expect(await dev.call('grandpa_proveFinality', ...range, 1)).toBe(null);
    expect(await dev.call('grandpa_proveFinality', await hashAt(50), await hashAt(60))).toBe(null);
    const unknown = `0x${'77'.repeat(32)}`;
    const code4 = {
      code: 4,
      message: expect.stringMatching(/^GRANDPA prove finality rpc failed: /) as unknown,
    };
    expect(await rejection(dev.call('grandpa_proveFinality', range[0], unknown))).toMatchObject(code4);
    expect(await rejection(dev.call('grandpa_proveFinality', 42))).toMatchObject(code4);
    expect(await rejection(dev.call('grandpa_proveFinality', range[0]))).toMatchObject({ code: -32602 });
    expect(await rejection(dev.call('grandpa_proveFinality', ...range, 'x'))).toMatchObject({ code: -32602 });
  });

  it('imports a block without its invalid justification, and says so', async () => {
    await start();
    await importTo(7);
    const eighth = blocks[7] as (typeof blocks)[0];
    const broken = hexToBytes(proofOf(8));
    broken[60] = (broken[60] as number) ^ 1;
    const hex = `0x${[...broken].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    const imported = await dev.node.importBlock({ ...eighth, justifications: [['0x46524e4b', hex]] });
    expect(imported.badJustification).toMatch(/^The justification of block #8 /);
    expect([dev.best().number, dev.finalized().number]).toEqual([8, 0]);
    expect(await blockAt(8)).toMatchObject({ justification: null, justifications: null });
    // A good one may still come, with a later request.
    expect(await finalize(8, proofOf(8))).toBe(true);
    expect(await blockAt(8)).toMatchObject({ justification: proofOf(8) });
    expect((await dev.node.importBlock(blocks[8] as (typeof blocks)[0])).badJustification).toBeUndefined();
  });

  it('goes on with a file past a justification that is stale or broken', async () => {
    await start();
    const lines = blocks.slice(0, 43).map((block, index) => {
      const number = index + 1;
      if (number === 8) return JSON.stringify({ ...block, justifications: [['0x46524e4b', '0x00']] });
      // That of an earlier block, in a block that changes the set.
      return JSON.stringify(number === 41 ? { ...block, justifications: blocks[37]?.justifications } : block);
    });
    expect(await dev.call('dev_importChain', lines.join('\n'))).toMatchObject({
      blocks: 43,
      number: 43,
      badJustifications: { count: 2, first: 'The justification of block #8 does not decode' },
    });
    expect(dev.finalized().number).toBe(14);
  });

  it('accepts justifications later, each for the set of its time only', async () => {
    await start();
    await importTo(63, [8, 41]);
    // The first one received is for block 14.
    expect(dev.finalized().number).toBe(14);
    const ofNextSet = await rejection(finalize(46, proofOf(46)));
    expect(ofNextSet).toMatchObject({
      code: 14000,
      message: expect.stringContaining('no vote of the authority set') as unknown,
    });
    expect(await rejection(finalize(41, proofOf(38)))).toMatchObject({ code: 14000 });
    expect(dev.finalized().number).toBe(14);
    expect(await finalize(41, proofOf(41))).toBe(true);
    expect(await finalize(46, proofOf(46))).toBe(true);
    expect(dev.finalized().number).toBe(46);
    expect(await blockAt(46)).toMatchObject({ justification: proofOf(46) });
    const latest = readFinalityProof(new Reader(hexToBytes(await dev.call('grandpa_proveFinality', 45))));
    expect(decodeGrandpaJustification(latest.justification).targetNumber).toBe(46);
    // Block 47 was finalized only by the operator.
    await dev.call('engine_finalizeBlock', await hashAt(47));
    expect(await dev.call('grandpa_proveFinality', 47)).toBe(null);
  });

  it('keeps the set when reopened, and reverts it with the chain', async () => {
    const db = lastingDatabase();
    await start(db);
    await importTo(63);
    const proof = await dev.call('grandpa_proveFinality', 1);
    await dev.stop();
    await start(db);
    expect(await dev.call('grandpa_proveFinality', 1)).toBe(proof);
    await dev.call('dev_setHead', await hashAt(20));
    expect(await dev.node.parts.grandpa.authoritySet()).toMatchObject({
      setId: 0n,
      changes: [],
      scheduled: [],
    });
    await importTo(63);
    expect(dev.finalized().number).toBe(41);
    expect(await finalize(54, proofOf(54))).toBe(true);
    await dev.call('dev_reset');
    await importTo(63);
    expect(dev.finalized().number).toBe(41);
    expect(await dev.call('grandpa_proveFinality', 1)).toBe(proof);
  });

  it('reads the set from the state if it was not recorded', async () => {
    const db = lastingDatabase();
    await start(db);
    await importTo(63, [8, 14, 18, 22, 26, 30, 34, 38, 41]);
    await dev.node.parts.chain.finalize((await hashAt(45)) as BlockHash);
    await dev.stop();
    // Like a database of an older version, which did not track the set.
    const [[key] = [new Uint8Array()]] = await db.range('auxiliary');
    await db.write({ puts: [], deletes: [['auxiliary', key]] });
    await start(db);
    expect(await dev.node.parts.grandpa.authoritySet()).toBe(null);
    expect(await finalize(46, proofOf(46))).toBe(true);
    expect(await dev.node.parts.grandpa.authoritySet()).toMatchObject({ setId: 1n });
  });

  it("are contained in files, including the native node's", async () => {
    await start();
    const file = await loadFixture('sdk-node/blocks.bin');
    const hex = `0x${[...file].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    expect(await dev.call('dev_importChain', hex)).toMatchObject({ blocks: 63, number: 63 });
    expect(dev.finalized().number).toBe(41);
    for (const format of ['json', 'binary']) {
      const text = await dev.call<string>('dev_exportChain', format);
      const first = dev;
      await start();
      await dev.call('dev_importChain', text);
      expect(dev.finalized().number).toBe(41);
      expect((await blockAt(41)).justification).toBe(proofOf(41));
      await first.stop();
    }
  });
});

describe('justifications of our own chain', () => {
  it('finalize if signed by its set; those of other engines are stored as given', async () => {
    dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
    const crypto = await loadCrypto();
    const told = await dev.follow('grandpa_subscribeJustifications');
    await dev.call('dev_newBlock', { count: 3 });
    const second = { hash: (await dev.call('chain_getBlockHash', 2)) as BlockHash, number: 2 };
    const alice = crypto.suriToPair('//Alice', 'ed25519');
    const proofBy = (setId: bigint) =>
      encodeVotes(1n, second, [signPrecommit(crypto, alice, second, { round: 1n, setId })]);
    const give = (engine: string, data: Uint8Array) =>
      dev.call('engine_finalizeBlock', second.hash, [[...new TextEncoder().encode(engine)], [...data]]);
    await expect(give('FRNK', proofBy(1n))).rejects.toMatchObject({ code: 14000 });
    expect(dev.finalized().number).toBe(0);
    expect(await give('FRNK', proofBy(0n))).toBe(true);
    expect(dev.finalized().number).toBe(2);
    const stored = await psp('chain_getBlock', second.hash);
    expect(hexToBytes(stored.justification ?? '')).toEqual(proofBy(0n));
    expect(told).toEqual([stored.justification]);
    const third = await dev.call('chain_getBlockHash', 3);
    await psp('engine_finalizeBlock', third, ['0x6d616e6c', '0x0102']);
    expect(await psp('chain_getBlock', third)).toMatchObject({
      justification: null,
      justifications: [
        [
          [0x6d, 0x61, 0x6e, 0x6c],
          [1, 2],
        ],
      ],
    });
    expect(told).toHaveLength(1);
  });
});
