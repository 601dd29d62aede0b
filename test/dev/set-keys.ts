import { findCall } from '../../src/scale/calls.ts';
import { fromHex, toHex } from '../../src/scale/hex.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import type { TabNode } from '../../src/start.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { signTransaction } from '../../worker/dev/transaction.ts';

/** The first transaction of an account: `session.setKeys` with new keys of the node. Needs no client library. */
export const signedSetKeys = async ({ rpc }: Pick<TabNode, 'rpc'>, suri = '//Alice'): Promise<string> => {
  const crypto = await loadCrypto();
  const signer = crypto.suriToPair(suri, 'sr25519');
  const meta = createRuntimeMeta(fromHex(await rpc.state_getMetadata()));
  const setKeys = findCall(meta, 'Session', 'set_keys');
  if (setKeys === null) throw new Error('the runtime has no session.setKeys');
  const { keys, proof } = await rpc.author_rotateKeysWithOwner({ owner: toHex(signer.publicKey) });
  const call = concatBytes(
    Uint8Array.from(setKeys.index),
    fromHex(keys),
    new Writer(256).vecBytes(fromHex(proof ?? '0x')).finish(),
  );
  const version = await rpc.state_getRuntimeVersion();
  const genesis = fromHex((await rpc.chain_getBlockHash({ hash: 0 })) as string);
  return toHex(signTransaction(crypto, meta, call, signer, { nonce: 0, genesis, version }));
};
