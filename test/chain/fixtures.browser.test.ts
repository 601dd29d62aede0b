import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixture, loadFixtureJson, loadFixtureLines } from '../rigs/fixtures.ts';

describe.skipIf(!hasFixtures)('shared fixtures', () => {
  it('reads JSON', async () => {
    expect(await loadFixtureJson<object>('chains/expected.json')).toBeTypeOf('object');
  });

  it('reads one value per line', async () => {
    expect((await loadFixtureLines('sdk-node/blocks.jsonl')).length).toBe(63);
  });

  it('refuses an unknown name', async () => {
    await expect(loadFixture('absent.json')).rejects.toThrow('absent.json');
  });
});
