import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

/** The key of account `index` in `System.Account`, as hex without `0x`. */
const createKeys = async () => {
  const crypto = await loadCrypto();
  const prefix = concatBytes(crypto.twox128(textToBytes('System')), crypto.twox128(textToBytes('Account')));
  const idOf = (index: number): Uint8Array => crypto.blake2b256(new Writer(8).u32(index).finish());
  return {
    prefix: bytesToHex(prefix),
    idOf: (index: number): string => bytesToHex(idOf(index)),
    keyOf: (index: number): string => {
      const id = idOf(index);
      return bytesToHex(concatBytes(prefix, crypto.blake2b128(id), id));
    },
  };
};

export type LargeChain = { readonly keys: Awaited<ReturnType<typeof createKeys>>; readonly live: Node };

/** A node of the default chain with so many accounts. */
export const openLargeChain = async (accounts: number): Promise<LargeChain> => {
  const keys = await createKeys();
  const small = await createNode(createTestPlatform(), testConfig('development'));
  const { top } = ((await small.parts.chain.genesisJson(true)) as { raw: { top: Record<string, string> } })
    .raw;
  await small.close();
  // Nonce 0, one provider, 100 units of 12 decimals, the flag of new accounts.
  const info = `0x${'00'.repeat(8)}01000000${'00'.repeat(4)}${'00407a10f35a'.padEnd(126, '0')}80`;
  for (let index = 0; index < accounts; index++) top[keys.keyOf(index)] = info;
  const genesis = { raw: { top, childrenDefault: {} } };
  const spec = {
    name: 'Large',
    id: 'large',
    chainType: 'Development',
    bootNodes: [],
    properties: {},
    genesis,
  };
  const config = testConfig({ specJson: JSON.stringify(spec) }, { finality: { kind: 'manual' } });
  return { keys, live: await createNode(createTestPlatform(), config) };
};
