import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { unpackCode } from '../../worker/executor/code-blob.ts';
import { createNode } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

type Genesis = { raw: { top: Record<string, string> } };
type Version = { implVersion: number };

/** The native node refuses blocks of the future. */
const now = (): number => Date.UTC(2025, 0, 1);

const openOurs = async (spec: object) => {
  const node = await createNode(createTestPlatform({ now }), testConfig({ specJson: JSON.stringify(spec) }));
  return { node, ...connectRpc(node) };
};

describe.skipIf(!hasNativeNode)(
  'rules of a specification, as a native node obeys them (shared native-node)',
  () => {
    let native: NativeNode;
    let base: Record<string, unknown>;
    let code: string;
    beforeAll(async () => {
      native = await unpackNativeNode();
      const node = await createNode(createTestPlatform(), testConfig('development'));
      const genesis = (await node.parts.chain.genesisJson(true)) as Genesis;
      await node.close();
      code = genesis.raw.top[bytesToHex(textToBytes(':code'))] as string;
      const fields = { bootNodes: [], telemetryEndpoints: null, protocolId: null, properties: {} };
      base = { name: 'Rules', id: 'rules', chainType: 'Development', ...fields, genesis };
    }, 60_000);
    afterAll(() => native.close());

    it('a code substitute runs from its block on', async () => {
      const module = Buffer.from(unpackCode(hexToBytes(code), (await loadCrypto()).unzstd));
      let at = module.lastIndexOf('runtime_version') + 'runtime_version'.length;
      for (let text = 0; text < 2; text++) at += 1 + ((module[at] as number) >> 2);
      module.writeUInt32LE(77, at + 8);
      const spec = { ...base, codeSubstitutes: { 1: bytesToHex(module) } };
      const file = native.write('substitute.json', JSON.stringify(spec));
      const key = '0000000000000000000000000000000000000000000000000000000000000001';
      const where = ['--chain', file, '--tmp', '--alice', '--seal', 'manual', '--node-key', key];
      const theirs = await native.serve(...where, '--rpc-methods', 'unsafe');
      await expect.poll(theirs.isUp, { timeout: 60_000 }).toBe(true);
      const { node, call } = await openOurs(spec);
      const versionsOf = async (ask: <T>(method: string, ...params: unknown[]) => Promise<T>) => {
        const versions: number[] = [];
        for (const number of [0, 1]) {
          const hash = await ask<string>('chain_getBlockHash', number);
          versions.push((await ask<Version>('state_getRuntimeVersion', hash)).implVersion);
        }
        return versions;
      };
      await theirs.call('engine_createBlock', true, false, null);
      await sealOn(node);
      const ours = await versionsOf(call);
      expect(ours[1]).toBe(77);
      expect(await versionsOf(theirs.call)).toEqual(ours);
      await theirs.stop();
      await node.close();
    }, 120_000);

    it.each([
      ['badBlocks', (hash: string) => [hash]],
      ['forkBlocks', () => [[2, `0x${'11'.repeat(32)}`]]],
    ])(
      'a block against %s is not imported',
      async (name, rule) => {
        const author = await openOurs(base);
        const hashes = [await sealOn(author.node), await sealOn(author.node)];
        const blocks = await Promise.all(hashes.map((hash) => author.node.parts.chain.loadBlock(hash)));
        const lines = blocks.flatMap((block) => (block === null ? [] : [signedBlockToJson(block)]));
        await author.node.close();
        const spec = { ...base, [name]: rule(hashes[1] as string) };
        const file = native.write(`${name}.json`, JSON.stringify(spec));
        const blockFile = native.write('blocks', lines.map((line) => JSON.stringify(line)).join('\n'));
        const place = ['--chain', file, '--base-path', `${native.folder}/${name}`];
        await native.command('import-blocks', ...place, blockFile).catch(() => undefined);
        expect(await native.command('chain-info', ...place)).toContain('"best_number": 1');
        const { node } = await openOurs(spec);
        await node.importBlock(lines[0] as never);
        await expect(node.importBlock(lines[1] as never)).rejects.toMatchObject({ code: 'BadBlock' });
        await node.close();
      },
      120_000,
    );
  },
);
