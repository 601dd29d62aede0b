import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixtureJson, loadFixtureText } from '../../test/fixtures.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createExecutor } from '../executor/executor.ts';
import { buildGenesis } from './genesis.ts';
import { hashHeader } from './hashes.ts';
import { parseChainSpec } from './spec.ts';

type Expected = { file: string; name: string; id: string; stateRoot: string; genesisHash: string };

describe.skipIf(!hasFixtures)('genesis of real chains', async () => {
  const expected = hasFixtures ? await loadFixtureJson<Expected[]>('chains/expected.json') : [];
  const build = async (text: string) => {
    const crypto = await loadCrypto();
    const executor = createExecutor({ crypto });
    const spec = parseChainSpec(text);
    const genesis = buildGenesis({ crypto, executor, source: { getNode: () => null } }, spec.genesis);
    return { spec, root: bytesToHex(genesis.backend.root), hash: hashHeader(crypto, genesis.header) };
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
  ];
  for (const [text, why] of refused)
    it(`${text === '' ? 'nothing' : text} is refused`, () => {
      expect(() => parseChainSpec(text)).toThrow(why);
    });

  it('a genesis without code is refused', async () => {
    const crypto = await loadCrypto();
    const executor = createExecutor({ crypto });
    const { genesis } = parseChainSpec('{"name":"a","id":"b","genesis":{"raw":{"top":{"0x01":"0x02"}}}}');
    expect(() => buildGenesis({ crypto, executor, source: { getNode: () => null } }, genesis)).toThrow(
      ':code',
    );
  });
});
