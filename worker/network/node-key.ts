import { NodeError } from '../../src/protocol/errors.ts';
import { type Keystore, nodeKeyType } from '../keystore/keystore.ts';
import type { NodeKey } from './transport/connection.ts';

/**
 * The key by which other nodes know this one: the given secret (32 bytes as hex), or one that is made and stored with the
 * chain when it is first needed. Throws `BadKey`.
 */
export const createNodeKey = (
  keystore: Pick<Keystore, 'generate' | 'insertSuri' | 'pairs' | 'sign'>,
  secret: string | null,
): NodeKey => {
  if (secret?.match(/^0x[0-9a-f]{64}$/i) === null)
    throw new NodeError('BadKey', 'A node key is 32 bytes as hex');
  const load = (): Uint8Array =>
    secret === null
      ? (keystore.pairs(nodeKeyType)[0]?.publicKey ?? keystore.generate(nodeKeyType, 'ed25519', null))
      : keystore.insertSuri(nodeKeyType, 'ed25519', secret, { isKept: false });
  let publicKey: Uint8Array | null = null;
  const need = (): Uint8Array => {
    publicKey ??= load();
    return publicKey;
  };
  return {
    get publicKey() {
      return need();
    },
    sign: (message) => {
      const signature = keystore.sign(nodeKeyType, 'ed25519', need(), message);
      if (signature === null) throw new NodeError('BadKey');
      return signature;
    },
  };
};
