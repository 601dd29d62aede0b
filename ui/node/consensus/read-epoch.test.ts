import { describe, expect, it } from 'vitest';
import { apiId } from '../../../src/scale/hash.ts';
import { apiIds, loadAuraAuthorities, loadEpoch } from './read-epoch.ts';

const at = `0x${'11'.repeat(32)}`;

/** A node that fails every runtime call. The runtime version lists `apis`; with null, it cannot be read. */
const refusing = (apis: readonly string[] | null) => ({
  request: async (method: string): Promise<never> => {
    if (method !== 'state_getRuntimeVersion') throw new Error('the call failed');
    if (apis === null) throw new Error('the version cannot be read');
    return { apis: apis.map((name) => [apiId(name), 1]) } as never;
  },
});

describe('epochs and authorities of a block', () => {
  it('knows the ids of the runtime APIs', () => {
    expect(apiIds).toEqual({ babe: apiId('BabeApi'), aura: apiId('AuraApi') });
  });

  it('are null if the runtime does not have the API', async () => {
    expect(await loadEpoch(refusing(['Core', 'AuraApi']), at)).toBeNull();
    expect(await loadAuraAuthorities(refusing(['Core', 'BabeApi']), at)).toBeNull();
  });

  it('reject if the runtime has the API but the call fails', async () => {
    await expect(loadEpoch(refusing(['Core', 'BabeApi']), at)).rejects.toThrow('the call failed');
    await expect(loadAuraAuthorities(refusing(['AuraApi']), at)).rejects.toThrow('the call failed');
  });

  it('reject if it is unknown whether the runtime has the API', async () => {
    await expect(loadEpoch(refusing(null), at)).rejects.toThrow('the version cannot be read');
  });

  it('reads an epoch', async () => {
    const bytes = `0x0700000000000000${'e803000000000000'}c80000000000000004${'ab'.repeat(32)}0100000000000000`;
    expect(await loadEpoch({ request: async () => bytes as never }, at)).toEqual({
      index: 7,
      startSlot: 1000,
      duration: 200,
      authorities: [{ id: `0x${'ab'.repeat(32)}`, weight: 1n }],
    });
  });
});
