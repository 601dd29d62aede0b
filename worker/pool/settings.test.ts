import { describe, expect, it } from 'vitest';
import { poolOptions } from './settings.ts';

describe('pool settings', () => {
  it('has the defaults of sc-transaction-pool, and no bans only on the development preset', () => {
    expect(poolOptions({ specJson: '{}' })).toEqual({
      limits: { ready: { count: 8192, bytes: 20_971_520 }, future: { count: 819, bytes: 2_097_152 } },
      banMs: 1_800_000,
    });
    expect(poolOptions('local_testnet').banMs).toBe(1_800_000);
    expect(poolOptions('development').banMs).toBe(0);
    expect(poolOptions({ wasm: new Uint8Array(), preset: 'development' }).banMs).toBe(0);
  });

  it('uses the given settings', () => {
    expect(poolOptions('development', { limit: 25, kbytes: 30, banSeconds: 2 })).toEqual({
      limits: { ready: { count: 25, bytes: 30_720 }, future: { count: 2, bytes: 3072 } },
      banMs: 2000,
    });
  });

  it.each([{ limit: -1 }, { kbytes: 1.5 }, { banSeconds: Number.NaN }])('refuses %o', (settings) => {
    expect(() => poolOptions('development', settings)).toThrow(
      expect.objectContaining({ code: 'BadConfig' }),
    );
  });
});
