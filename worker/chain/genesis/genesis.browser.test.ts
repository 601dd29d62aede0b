import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixtureJson, loadFixtureText } from '../../../test/rigs/fixtures.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createExecutor } from '../../executor/executor.ts';
import { hashHeader } from '../hashes.ts';
import { buildGenesis } from './genesis.ts';
import { parseChainSpec } from './parse-spec.ts';

type Expected = { file: string; name: string; id: string; stateRoot: string; genesisHash: string };

describe.skipIf(!hasFixtures)('genesis of real chains', async () => {
  const expected = hasFixtures ? await loadFixtureJson<Expected[]>('chains/expected.json') : [];
  const build = async (text: string) => {
    const crypto = await loadCrypto();
    const executor = createExecutor({ crypto });
    const spec = parseChainSpec(text);
    const genesis = await buildGenesis({ crypto, executor, source: { getNode: () => null } }, spec.genesis);
    return { spec, root: bytesToHex(genesis.header.stateRoot), hash: hashHeader(crypto, genesis.header) };
  };

  for (const chain of expected)
    it(`${chain.file} has its state root and hash`, async () => {
      const built = await build(await loadFixtureText(`chains/${chain.file}`));
      expect(built.spec.name).toBe(chain.name);
      expect(built.spec.id).toBe(chain.id);
      expect(built.root).toBe(chain.stateRoot);
      expect(built.hash).toBe(chain.genesisHash);
    });

  it('the chain of the recorded native node has its hash', async () => {
    const lines = (await loadFixtureText('sdk-node/blocks.jsonl')).split('\n');
    const first = JSON.parse(lines[0] as string) as { block: { header: { parentHash: string } } };
    const built = await build(await loadFixtureText('sdk-node/spec.json'));
    expect(built.hash).toBe(first.block.header.parentHash);
  });
});

describe('invalid chain specifications', () => {
  const refused: [string, string][] = [
    ['', 'not JSON'],
    ['[]', 'not a JSON object'],
    ['{}', 'name or id is missing'],
    ['{"name":"a","id":"b"}', 'genesis is missing'],
    ['{"name":"a","id":"b","genesis":{}}', 'neither raw nor runtimeGenesis'],
    ['{"name":"a","id":"b","genesis":{"raw":{"top":{"0x0g":"0x"}}}}', 'is not hex text'],
    ['{"name":"a","id":"b","genesis":{"runtimeGenesis":{"code":1}}}', 'code is not hex text'],
    ['{"name":"a","id":"b","genesis":{"stateRootHash":"0x00"}}', 'genesis.stateRootHash names a state'],
    ['{"name":"a","id":"b","genesis":{"raw":{"top":{}},"runtimeGenesis":{}}}', 'more than one form'],
    ['{"name":"a","id":"b","genesis":{"raw":{"top":{},"children":{}}}}', 'the unknown field "children"'],
    ['{"name":"a","id":"b","genesis":{"raw":{"top":{},"childrenDefault":[]}}}', 'childrenDefault is not an'],
    ['{"name":"a","id":"b","genesis":{"raw":{"top":{},"childrenDefault":{"0x":1}}}}', 'child trie 0x is not'],
    ['{"name":"a","id":"","genesis":{}}', 'its id is empty'],
    ['{"name":"a","id":"b","properties":[],"genesis":{}}', 'properties is not an object'],
    ['{"name":"a","id":"b","bootNodes":[1],"genesis":{}}', 'bootNodes is not an array of texts'],
    ['{"name":"a","id":"b","protocolId":1,"genesis":{}}', 'protocolId is not a text'],
    ['{"name":"a","id":"b","forkId":{},"genesis":{}}', 'forkId is not a text'],
    ['{"name":"a","id":"b","consensusEngine":"pow","genesis":{}}', 'consensusEngine is not null'],
  ];
  for (const [text, why] of refused)
    it(`${text === '' ? 'nothing' : text} is refused`, () => {
      expect(() => parseChainSpec(text)).toThrow(why);
    });

  const withPatch = (depth: number): string =>
    `{"name":"a","id":"b","genesis":{"runtimeGenesis":{"code":"0x","patch":${'['.repeat(depth)}${']'.repeat(depth)}}}}`;
  it('the depth of serde_json is accepted, and no more', () => {
    expect(() => parseChainSpec(withPatch(124))).not.toThrow();
    for (const depth of [125, 1000, 200_000])
      expect(() => parseChainSpec(withPatch(depth))).toThrow(
        expect.objectContaining({
          code: 'BadSpec',
          message: 'Chain specification: nested more than 127 levels deep',
        }),
      );
  });

  it('an id longer than the name of a folder is refused', () => {
    const withId = (length: number): string =>
      `{"name":"a","id":"${'i'.repeat(length)}","genesis":{"raw":{"top":{}}}}`;
    expect(parseChainSpec(withId(255)).id).toHaveLength(255);
    expect(() => parseChainSpec(withId(256))).toThrow('has 256 characters; 255 are allowed');
  });

  it('of config and patch, the first is used, and the other one is named', () => {
    const parse = (members: string) =>
      parseChainSpec(`{"name":"a","id":"b","genesis":{"runtimeGenesis":{"code":"0x",${members}}}}`);
    const one = parse('"config":{"a":1},"patch":{"b":2},"presets":1');
    expect(one.genesis).toMatchObject({ config: '{"a":1}', patch: null });
    expect(one.unknown).toEqual(['genesis.runtimeGenesis.presets', 'genesis.runtimeGenesis.patch']);
    expect(parse('"patch":{"b":2},"config":{"a":1}').genesis).toMatchObject({
      config: null,
      patch: '{"b":2}',
    });
  });

  it('a child trie has the name that is written, whatever it begins with', () => {
    const name = bytesToHex(new TextEncoder().encode(':child_storage:default:a'));
    const { genesis } = parseChainSpec(
      `{"name":"a","id":"b","genesis":{"raw":{"top":{},"childrenDefault":{"${name}":{"0x01":"0x02"}}}}}`,
    );
    expect(genesis.kind === 'raw' && genesis.children.map(([key]) => bytesToHex(key))).toEqual([name]);
  });

  it('a genesis without code is refused', async () => {
    const crypto = await loadCrypto();
    const executor = createExecutor({ crypto });
    const { genesis } = parseChainSpec('{"name":"a","id":"b","genesis":{"raw":{"top":{"0x01":"0x02"}}}}');
    await expect(
      buildGenesis({ crypto, executor, source: { getNode: () => null } }, genesis),
    ).rejects.toThrow(':code');
  });
});
