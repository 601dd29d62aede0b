import { expect, it } from 'vitest';
import { bytesToKey, concatBytes } from '../bytes/bytes.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { sdk } from './dialects/sdk.ts';
import type { OneCall } from './handlers.ts';
import { createSystemMethods } from './methods/system.ts';
import type { RpcParts } from './parts.ts';

const crypto = await loadCrypto();
const alice = crypto.suriToPair('//Alice', 'sr25519').publicKey;
const address = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';

/**
 * The next nonce if the state has `nonce` and the pool provides these tags. Iterating over the whole pool
 * throws.
 */
const nextIndex = (nonce: Uint8Array, provided: readonly (readonly Uint8Array[])[]) => {
  const tags = provided.map((list) => list.map((tag) => bytesToKey(concatBytes(alice, tag))));
  const parts = {
    crypto,
    chain: { best: () => ({ hash: '0x00' }), callAt: async () => ({ ok: true, output: nonce }) },
    pool: {
      provider: (tag: string) => {
        const provides = tags.find((list) => list.includes(tag));
        return provides === undefined ? undefined : { provides };
      },
    },
  } as unknown as RpcParts;
  const { system_accountNextIndex: method } = createSystemMethods({ name: '', version: '' }, 0);
  return method(parts, { account: address }, { dialect: sdk } as OneCall);
};

const u32 = (value: number): Uint8Array => Uint8Array.of(value, 0, 0, 0);

it('the next nonce follows the ready transactions whose first tag is the account and nonce', async () => {
  expect(await nextIndex(u32(5), [])).toBe(5);
  expect(await nextIndex(u32(5), [[u32(6)], [u32(5)], [u32(8)]])).toBe(7);
  expect(await nextIndex(u32(5), [[u32(9), u32(5)]])).toBe(5);
});

it("stops at the maximum of the nonce's type", async () => {
  expect(await nextIndex(Uint8Array.of(255), [[Uint8Array.of(255)], [Uint8Array.of(0)]])).toBe(256);
  expect(await nextIndex(new Uint8Array(0), [[new Uint8Array(0)]])).toBe(1);
});
