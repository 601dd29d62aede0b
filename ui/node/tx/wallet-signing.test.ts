import { Keyring } from '@polkadot/keyring';
import { Metadata, TypeRegistry } from '@polkadot/types';
import { u8aToHex } from '@polkadot/util';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCall } from '../../../src/scale/extrinsic.ts';
import { createMetaLoader } from '../../../src/scale/load.ts';
import type { RuntimeMeta } from '../../../src/scale/types.ts';
import { decodeValidity } from '../../../src/scale/validity.ts';
import { openPageNode } from '../../../test/rigs/page-node.ts';
import { createHeldKeys } from './held-keys.ts';
import { loadFacts, signCall, validityParams } from './signing.ts';
import type { SignerPayload } from './wallet.ts';

const types = ['sr25519', 'ed25519', 'ecdsa'] as const;
type Type = (typeof types)[number];
type Node = Parameters<typeof loadFacts>[0];

let node: Awaited<ReturnType<typeof openPageNode>>;
let meta: RuntimeMeta;
let metadata = '';
beforeAll(async () => {
  await cryptoWaitReady();
  node = await openPageNode();
  meta = await createMetaLoader(node).at(null);
  metadata = String(await node.request('state_getMetadata', []));
});
afterAll(() => node.close());

const pairOf = (type: Type) => new Keyring({ type }).addFromUri('//Wallet');
const idOf = (type: Type) => u8aToHex(pairOf(type).addressRaw);

/** Signs as the extension of polkadot-js does: with types of its own, from the payload and the metadata that it has. */
const signAsExtension = (type: Type, payload: SignerPayload): `0x${string}` => {
  const registry = new TypeRegistry();
  registry.setMetadata(new Metadata(registry, metadata as `0x${string}`));
  registry.setSignedExtensions([...payload.signedExtensions]);
  return registry.createType('ExtrinsicPayload', payload, { version: payload.version }).sign(pairOf(type))
    .signature;
};

/** The remark (of this size) as a wallet with this signature has it signed. */
const sign = async (type: Type, make: (payload: SignerPayload) => string, size = 1): Promise<string> => {
  const id = idOf(type);
  const address = new Keyring().encodeAddress(id);
  const genesisHash = String(await node.request('chain_getBlockHash', [0]));
  const page = { request: node.request, info: { genesisHash }, base: () => null } as unknown as Node;
  const facts = await loadFacts(page, address, null);
  const call = encodeCall(meta, 'System', 'remark', { remark: `0x${'01'.repeat(size)}` });
  const account = { name: 'Mine', id, suri: null, wallet: 'test-wallet', address };
  const signer = {
    kind: 'wallet',
    id,
    name: 'Mine',
    account: { ...account, sign: async (payload: SignerPayload) => make(payload) },
    keys: createHeldKeys(),
  } as const;
  return signCall(meta, call, signer, facts, { nonce: null, tip: 0n, period: 64 });
};

describe.each(types)('a wallet with a key of %s', (type) => {
  it.each([1, 400])('signs a remark of %i bytes, and the chain takes it', async (size) => {
    await node.request('dev_fund', [idOf(type), '100000000000000']);
    const extrinsic = await sign(type, (payload) => signAsExtension(type, payload), size);
    const best = String(await node.request('chain_getBlockHash', []));
    const validity = await node.request('state_call', validityParams(extrinsic, best));
    expect(decodeValidity(String(validity))).toMatchObject({ kind: 'valid' });
  });

  it.each<[string, (payload: SignerPayload) => string]>([
    ['by another key', (payload) => signAsExtension(type === 'sr25519' ? 'ed25519' : 'sr25519', payload)],
    ['over another nonce', (payload) => signAsExtension(type, { ...payload, nonce: '0x00000007' })],
    ['of another scheme', (payload) => `0x00${signAsExtension('sr25519', payload).slice(4)}`],
    ['that is made up', () => `0x01${'11'.repeat(64)}`],
  ])('is refused for a signature %s, in one sentence', async (_what, make) => {
    await expect(sign(type, make)).rejects.toThrow(
      'The signature that test-wallet returned is not that of Mine over this transaction. Update this chain’s metadata in the wallet, and send again.',
    );
  });
});
