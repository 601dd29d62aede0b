import { toAddress } from '../../../src/scale/address.ts';
import { birthOf } from '../../../src/scale/era.ts';
import {
  addressJson,
  commonExtensions,
  type ExtensionValues,
  extensionValue,
  prepareExtrinsic,
} from '../../../src/scale/extrinsic.ts';
import { blake2 } from '../../../src/scale/hash.ts';
import { toHex } from '../../../src/scale/hex.ts';
import type { Json, RuntimeMeta } from '../../../src/scale/types.ts';
import type { UiNode } from '../client/ui-node.ts';
import { checksMetadataHash, loadMetadataHash } from './metadata-hash.ts';
import type { Signer } from './signers.svelte.ts';
import type { SignerPayload } from './wallet.ts';

/** Options of a transaction, apart from the call. */
export type SendOptions = {
  /** Null for the next nonce. */
  readonly nonce: number | null;
  /** In the smallest unit. */
  readonly tip: bigint;
  /** Number of blocks for which the transaction stays valid; null for no expiry. */
  readonly period: number | null;
  /** Whether to sign the hash of the runtime's metadata, where the runtime checks it. Default: no. */
  readonly metadataHash?: boolean;
};

/** The chain data needed to sign a transaction. */
export type ChainFacts = {
  readonly nonce: number;
  readonly specVersion: number;
  readonly transactionVersion: number;
  readonly genesisHash: string;
  /** Hash of the best block. */
  readonly best: string;
  /** The block at which a mortal transaction's validity starts. */
  readonly birth: { readonly number: number; readonly hash: string };
  /** The hash of the runtime's metadata, if it is signed. */
  readonly metadataHash: string | null;
};

/** Params of the `state_call` that validates an extrinsic, as the pool does, at a block. */
export const validityParams = (extrinsic: string, block: string): readonly unknown[] => [
  'TaggedTransactionQueue_validate_transaction',
  // TransactionSource::External
  `0x02${extrinsic.slice(2)}${block.slice(2)}`,
  block,
];

type Asked = {
  readonly signal?: AbortSignal;
  /** The runtime whose metadata hash is signed (`hashedMeta`). */
  readonly hashOf?: RuntimeMeta | null;
};

/** The runtime of a transaction that signs its metadata hash; null for other transactions. */
export const hashedMeta = (meta: RuntimeMeta, { metadataHash = false }: SendOptions): RuntimeMeta | null =>
  metadataHash && checksMetadataHash(meta) ? meta : null;

/** Loads nonce, runtime version and best block, and computes the metadata hash if it is signed. */
export const loadFacts = async (
  node: Pick<UiNode, 'request' | 'info' | 'base' | 'status'>,
  address: string,
  nonce: number | null,
  { hashOf = null, ...options }: Asked = {},
): Promise<ChainFacts> => {
  const [next, version, hash, metadataHash] = await Promise.all([
    nonce ?? node.request('system_accountNextIndex', [address], options),
    node.request('state_getRuntimeVersion', [], options),
    node.request('chain_getBlockHash', [], options),
    hashOf === null ? null : loadMetadataHash(node, hashOf),
  ]);
  const header = await node.request('chain_getHeader', [hash], options);
  if (header === null || typeof hash !== 'string') throw new TypeError('The best block is gone. Try again.');
  const number = Number(header.number);
  // After the best block: if the base is read first, a rebase in between makes a block of the live chain the birth.
  if (node.base() !== null) await node.status();
  return {
    nonce: Number(next),
    specVersion: version.specVersion,
    transactionVersion: version.transactionVersion,
    genesisHash: node.info.genesisHash,
    best: hash,
    birth: birthOf({ number, hash }, header.parentHash, node.base()?.number ?? null),
    metadataHash,
  };
};

/**
 * The mock signature of impersonated accounts, a convention of Chopsticks: 0xdeadbeef, then 0xcd to the end.
 */
export const mockSignature = `0xdeadbeef${'cd'.repeat(60)}`;

const schemes = ['Ed25519', 'Sr25519', 'Ecdsa'];

/** A MultiSignature from a wallet (`openWallet`) as JSON of the runtime's type. */
const readMultiSignature = (hex: string): Json => ({
  [schemes[Number.parseInt(hex.slice(2, 4), 16)] ?? '']: `0x${hex.slice(4)}`,
});

const bigEndian = (value: number | bigint, bytes = 4): string =>
  `0x${value.toString(16).padStart(bytes * 2, '0')}`;

type WalletSigner = Extract<Signer, { kind: 'wallet' }>;

/** What a wallet is asked to sign: it builds the payload itself. */
const walletPayload = (
  meta: RuntimeMeta,
  id: string,
  call: Uint8Array,
  facts: ChainFacts,
  options: SendOptions,
  values: ExtensionValues,
): SignerPayload => {
  const era = extensionValue(meta, 'CheckMortality', values) ?? extensionValue(meta, 'CheckEra', values);
  return {
    address: toAddress(id, meta.ss58Prefix),
    blockHash: options.period === null ? facts.genesisHash : facts.birth.hash,
    blockNumber: bigEndian(facts.birth.number),
    era: toHex(era ?? Uint8Array.of(0)),
    genesisHash: facts.genesisHash,
    method: toHex(call),
    nonce: bigEndian(facts.nonce),
    specVersion: bigEndian(facts.specVersion),
    tip: bigEndian(options.tip, 16),
    transactionVersion: bigEndian(facts.transactionVersion),
    signedExtensions: (meta.metadata.extrinsic.extensionsByVersion[0] ?? []).map(
      ({ identifier }) => identifier,
    ),
    version: 4,
    ...(facts.metadataHash === null ? { mode: 0 } : { mode: 1, metadataHash: facts.metadataHash }),
  };
};

/** A wallet's MultiSignature. Rejects if it is not that of the account over what was to be signed. */
const walletSignature = async (
  { id, name, account, keys }: WalletSigner,
  payload: Uint8Array,
  asked: SignerPayload,
  signal: AbortSignal | undefined,
): Promise<string> => {
  const signature = await account.sign(asked, signal);
  const { verify } = keys ?? (await import('./page-keys.ts')).pageKeys;
  if (await verify(id, payload, signature)) return signature;
  throw new TypeError(
    `The signature that ${account.wallet} returned is not that of ${name} over this transaction. Update this chain’s metadata in the wallet, and send again.`,
  );
};

type SignWay = {
  /** With neither key nor wallet, which is enough for the fee, because only the length matters. */
  readonly isMock?: boolean;
  /** Ends the wait for a wallet. */
  readonly signal?: AbortSignal;
};

/** Builds and signs a transaction; rejects with an EncodeFault or the signer's error. */
export const signCall = async (
  meta: RuntimeMeta,
  call: Uint8Array,
  signer: Signer,
  facts: ChainFacts,
  options: SendOptions,
  { isMock = false, signal }: SignWay = {},
): Promise<string> => {
  const { period } = options;
  const values = commonExtensions({
    ...facts,
    tip: options.tip,
    mortal: period === null ? null : { period, ...facts.birth },
  });
  const unsigned = prepareExtrinsic(meta, call, values, blake2);
  const address = addressJson(meta, toAddress(signer.id, meta.ss58Prefix));
  if (isMock || signer.kind === 'impersonated') return unsigned.finish(address, { Sr25519: mockSignature });
  if (signer.kind === 'wallet') {
    const asked = walletPayload(meta, signer.id, call, facts, options, values);
    const signature = await walletSignature(signer, unsigned.payload, asked, signal);
    return unsigned.finish(address, readMultiSignature(signature));
  }
  if (signer.kind === 'locked')
    throw new TypeError(`The key of ${signer.name} is encrypted. Unlock it with its password.`);
  const keys = signer.keys ?? (await import('./page-keys.ts')).pageKeys;
  const { type, signature } = await (signer.suri === null
    ? keys.sign(signer.id, unsigned.payload)
    : keys.signOnce(signer.suri, unsigned.payload));
  return unsigned.finish(address, { [`${type.charAt(0).toUpperCase()}${type.slice(1)}`]: signature });
};
