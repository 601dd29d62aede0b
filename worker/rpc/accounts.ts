import { NodeError } from '../../src/protocol/errors.ts';
import { type AddressFault, type AddressHash, ss58Decode } from '../crypto/ss58.ts';
import { invalidParams, RpcError } from './errors.ts';

/** The SDK's name for each error (sp-core, `PublicError`). */
const faults: Readonly<Record<AddressFault, string>> = {
  base58: 'Base 58 requirement is violated',
  checksum: 'Invalid checksum',
  length: 'Length is bad',
  prefix: 'Invalid SS58 prefix byte.',
};
const reservedPrefixes: readonly number[] = [46, 47];
const accountLengths: readonly number[] = [32];

const refuse = (why: string): RpcError => {
  const { code, message, data } = invalidParams(why);
  return new RpcError(code, message, data);
};

/** An SS58 address with any prefix. Throws -32602. */
export const readAddress = (hash: AddressHash, text: string): Uint8Array => {
  try {
    const { publicKey, prefix } = ss58Decode(hash, text, accountLengths);
    if (reservedPrefixes.includes(prefix)) throw refuse('Disallowed SS58 Address Format for this datatype.');
    return publicKey;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw refuse(faults[error.details['fault'] as AddressFault]);
  }
};
