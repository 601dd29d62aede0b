import { NodeError } from '../../src/protocol/errors.ts';
import type { ChainSpec } from '../chain/genesis/spec.ts';
import { type AddressFault, type AddressHash, ss58Decode } from '../crypto/ss58.ts';
import { isRegistered } from '../crypto/ss58-registry.ts';
import { invalidParams, RpcError } from './errors.ts';

/** What decodes an address, and the chain that it is meant for. */
export type AccountDeps = {
  readonly crypto: AddressHash;
  readonly chain: { readonly spec: Pick<ChainSpec, 'properties'> };
};

/** The SDK's name for each error (sp-core, `PublicError`). */
const faults: Readonly<Record<AddressFault, string>> = {
  base58: 'Base 58 requirement is violated',
  checksum: 'Invalid checksum',
  length: 'Length is bad',
  prefix: 'Invalid SS58 prefix byte.',
  reserved: 'Disallowed SS58 Address Format for this datatype.',
};
/** With the backticks of the SDK. */
const unknownPrefix = (prefix: number): string =>
  `Unknown SS58 address format \`${prefix}\`. \` \`To support this address format, you need to call \`set_default_ss58_version\` at node start up.`;
const accountLengths: readonly number[] = [32];

const refuse = (why: string): RpcError => {
  const { code, message, data } = invalidParams(why);
  return new RpcError(code, message, data);
};

/** An SS58 address with the chain's prefix or a registered one (`Ss58Codec::from_ss58check`). Throws -32602. */
export const readAddress = ({ crypto, chain }: AccountDeps, text: string): Uint8Array => {
  try {
    const { publicKey, prefix } = ss58Decode(crypto, text, accountLengths);
    if (!isRegistered(prefix) && prefix !== chain.spec.properties['ss58Format'])
      throw refuse(unknownPrefix(prefix));
    return publicKey;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw refuse(faults[error.details['fault'] as AddressFault]);
  }
};
