import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { writeSpecText } from '../../worker/chain/genesis/spec-text.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { unpackCode } from '../../worker/executor/code-blob.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { questionExport, withQuestion } from '../native/runtime-question.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { sealOn } from '../rigs/seal-on.ts';

type Json = Record<string, unknown>;

const crypto = await loadCrypto();
const opened: Node[] = [];
/** The specification of the development chain, and its code. */
let base: Json;
let code: Uint8Array;

const open = async (spec: object, db: Database = createMemoryDatabase(), changes: object = {}) => {
  const platform = createTestPlatform({ db });
  const node = await createNode(platform, testConfig({ specJson: JSON.stringify(spec) }, changes));
  opened.push(node);
  return { node, errors: platform.errors, ...connectRpc(node) };
};

beforeAll(async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  const genesis = (await node.parts.chain.genesisJson(true)) as { raw: { top: Record<string, string> } };
  code = unpackCode(hexToBytes(genesis.raw.top[bytesToHex(textToBytes(':code'))] as string), crypto.unzstd);
  base = { name: 'Rules', id: 'rules', chainType: 'Development', bootNodes: [], genesis };
  await node.close();
});
afterAll(async () => {
  for (const node of opened) await node.close();
});

/** Stays open when its node closes. */
const keptDatabase = (): Database => ({ ...createMemoryDatabase(), close: async () => undefined });

/** Sets a number of four bytes in the section `runtime_version`. Both names are shorter than 64 bytes. */
const withVersion = (module: Uint8Array, field: 'spec' | 'impl', value: number): string => {
  const out = Buffer.from(module);
  let at = out.lastIndexOf('runtime_version') + 'runtime_version'.length;
  for (let text = 0; text < 2; text++) at += 1 + ((out[at] as number) >> 2);
  out.writeUInt32LE(value, at + (field === 'spec' ? 4 : 8));
  return bytesToHex(out);
};

type Version = { specVersion: number; implVersion: number };

describe('codeSubstitutes', () => {
  it('run on the states from their block on', async () => {
    const substitute = withVersion(withQuestion(code, crypto), 'impl', 77);
    const { node, call } = await open({ ...base, codeSubstitutes: { 2: substitute } });
    const hashes = [node.parts.chain.genesisHash, await sealOn(node), await sealOn(node), await sealOn(node)];
    const versions: number[] = [];
    const runs: boolean[] = [];
    for (const hash of hashes) {
      versions.push((await call<Version>('state_getRuntimeVersion', hash)).implVersion);
      // Only the substitute has this export.
      runs.push(
        await call('state_call', questionExport, '0x', hash).then(
          () => true,
          () => false,
        ),
      );
    }
    expect(runs).toEqual([false, false, true, true]);
    expect(versions.slice(2)).toEqual([77, 77]);
    expect(versions[0]).not.toBe(77);
    expect(versions[1]).toBe(versions[0]);
    // The state keeps the chain's own code.
    expect(await call('state_getStorageHash', bytesToHex(textToBytes(':code')))).toBe(
      await call('state_getStorageHash', bytesToHex(textToBytes(':code')), hashes[0]),
    );
    const { node: other } = await open({ ...base, codeSubstitutes: { 2: substitute } });
    for (const hash of hashes.slice(1)) {
      const block = await node.parts.chain.loadBlock(hash);
      if (block === null) throw new Error('the block is missing');
      await other.importBlock(signedBlockToJson(block));
    }
    expect(other.parts.chain.best().hash).toBe(hashes[3]);
  });

  it('of another spec_version are not used', async () => {
    const substitute = withVersion(code, 'spec', 9999);
    const { node, call } = await open({ ...base, codeSubstitutes: { 0: substitute } });
    await sealOn(node);
    expect((await call<Version>('state_getRuntimeVersion')).specVersion).not.toBe(9999);
  });

  it.each([
    ['code that is none', { 1: '0x00' }, 'codeSubstitutes[1] is not the code of a runtime'],
    ['a block hash as key', { [`0x${'00'.repeat(32)}`]: '0x00' }, 'is not a block number'],
    ['a negative number', { '-1': '0x00' }, '"-1" is not a block number'],
    ['a number of 33 bits', { 4294967296: '0x00' }, 'is not a block number'],
    ['an array', ['0x00'], 'codeSubstitutes is not an object'],
    ['null', null, 'codeSubstitutes is not an object'],
  ])('with %s are refused', async (_, codeSubstitutes, message) => {
    await expect(open({ ...base, codeSubstitutes })).rejects.toMatchObject({
      code: 'BadSpec',
      message: expect.stringContaining(message),
    });
  });
});

describe('badBlocks and forkBlocks', () => {
  let blocks: SignedBlockJson[];
  let hashes: string[];
  beforeAll(async () => {
    const { node } = await open(base);
    hashes = [await sealOn(node), await sealOn(node)];
    blocks = [];
    for (const hash of hashes) {
      const block = await node.parts.chain.loadBlock(hash as never);
      if (block !== null) blocks.push(signedBlockToJson(block));
    }
  });
  const importAll = async (rules: object): Promise<Node> => {
    const { node } = await open({ ...base, ...rules });
    for (const block of blocks) await node.importBlock(block);
    return node;
  };
  const other = `0x${'11'.repeat(32)}`;

  it('refuse a bad block', async () => {
    await expect(importAll({ badBlocks: [other, hashes[1]] })).rejects.toMatchObject({
      code: 'BadBlock',
      message: 'Block #2 is one of the bad blocks of the chain specification',
    });
  });
  it('refuse a block of another fork', async () => {
    await expect(importAll({ forkBlocks: [[2, other]] })).rejects.toMatchObject({
      code: 'BadBlock',
      message: `Block #2 is of another fork: the chain specification requires ${other}`,
    });
  });
  it.each([
    ['of other blocks', { badBlocks: [other], forkBlocks: [[3, other]] }],
    [
      'with the hash of the block',
      () => ({
        forkBlocks: [
          [1, hashes[0]],
          [2, hashes[1]],
        ],
      }),
    ],
    ['null', { badBlocks: null, forkBlocks: null }],
  ])('%s leave blocks alone', async (_, rules) => {
    const node = await importAll(typeof rules === 'function' ? rules() : rules);
    expect(node.parts.chain.best().hash).toBe(hashes[1]);
  });
  it('do not keep the node from its own blocks, as in the SDK', async () => {
    const { node } = await open({ ...base, forkBlocks: [[1, other]] });
    await sealOn(node);
    expect(node.parts.chain.best().number).toBe(1);
  });
  it('refuse a bad block that is known already', async () => {
    const db = keptDatabase();
    const { node } = await open(base, db);
    await node.importBlock(blocks[0] as SignedBlockJson);
    await node.close();
    opened.splice(opened.indexOf(node), 1);
    const { node: again } = await open({ ...base, badBlocks: [hashes[0]] }, db);
    await expect(again.importBlock(blocks[0] as SignedBlockJson)).rejects.toMatchObject({ code: 'BadBlock' });
  });
  it.each([
    ['badBlocks', ['0x11'], 'badBlocks[0] is not a block hash'],
    ['badBlocks', {}, 'badBlocks is not an array'],
    ['forkBlocks', [[1]], 'forkBlocks[0] is not a pair'],
    ['forkBlocks', [['1', other]], 'forkBlocks[0] does not begin with a block number'],
    ['forkBlocks', { 1: other }, 'forkBlocks is not an array'],
  ])('%s %j is refused', async (name, value, message) => {
    await expect(open({ ...base, [name]: value })).rejects.toMatchObject({
      code: 'BadSpec',
      message: expect.stringContaining(message),
    });
  });
});

describe('other fields', () => {
  it('that no node of the SDK knows are named', async () => {
    const { genesis } = base as { genesis: object };
    const { node, errors } = await open({ ...base, genesis, codeSubstitute: {}, 'bad\u202eBlocks': [] });
    expect(errors).toEqual([
      expect.objectContaining({
        code: 'Unsupported',
        message: 'The chain specification has fields without effect: "codeSubstitute", "bad\\u{202e}Blocks"',
      }),
    ]);
    expect(await node.status()).toMatchObject({ ignoredSpecFields: ['codeSubstitute', 'bad\u202eBlocks'] });
  });

  const known = {
    telemetryEndpoints: [['wss://telemetry.invalid', 0]],
    protocolId: 'rules',
    forkId: 'two',
    consensusEngine: null,
    lightSyncState: { finalizedBlockHeader: '0x' },
    relay_chain: 'westend',
    para_id: 1000,
    evm_since: 1,
    forkBlocks: null,
    badBlocks: [`0x${'11'.repeat(32)}`],
  };
  it('are known, and exported with the substitutes', async () => {
    const codeSubstitutes = { 7: bytesToHex(code) };
    const { node, errors, call } = await open({ ...base, ...known, codeSubstitutes });
    expect(errors).toEqual([]);
    const { consensusEngine: _, ...exported } = { ...known, codeSubstitutes };
    const parts: string[] = [];
    const { chain } = node.parts;
    await writeSpecText(chain, chain.spec, chain.genesisHash, async (part) => void parts.push(part));
    expect(JSON.parse(parts.join(''))).toMatchObject(exported);
    await sealOn(node);
    await call('engine_finalizeBlock', chain.best().hash);
    const { lightSyncState: __, ...unsynced } = exported;
    expect(await call('sync_state_genSyncSpec', true)).toMatchObject(unsynced);
  });
});

describe('a stored chain', () => {
  it('opens with other rules, names and boot nodes, but not with another genesis', async () => {
    const db = keptDatabase();
    const close = async (node: Node): Promise<void> => {
      await node.close();
      opened.splice(opened.indexOf(node), 1);
    };
    const first = await open(base, db);
    const hash = await sealOn(first.node);
    await close(first.node);
    const changed = { ...base, name: 'Renamed', badBlocks: [hash], bootNodes: ['/ip4/127.0.0.1'] };
    const second = await open(changed, db);
    expect(second.node.parts.chain.best().hash).toBe(hash);
    await close(second.node);
    const genesis = structuredClone(base['genesis']) as { raw: { top: Record<string, string> } };
    genesis.raw.top['0x00'] = '0x00';
    await expect(open({ ...base, id: 'a\u0000b', genesis }, db)).rejects.toMatchObject({
      code: 'BadSpec',
      message: 'The database holds a chain made from another specification than that of "a\\u{0}b"',
    });
  });
});
