import type { TabNode } from '../../src/start.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { readOutline } from '../../worker/dev/metadata.ts';
import { signTransaction } from '../../worker/dev/transaction.ts';

/** //Alice's first transaction: `session.setKeys` with new keys of the node. Needs no client library. */
export const signedSetKeys = async ({ rpc }: Pick<TabNode, 'rpc'>): Promise<string> => {
  const crypto = await loadCrypto();
  const alice = crypto.suriToPair('//Alice', 'sr25519');
  const outline = readOutline(hexToBytes(await rpc.state_getMetadata()));
  const session = outline?.pallets.get('Session');
  const setKeys = session?.calls.get('set_keys');
  if (outline == null || session === undefined || setKeys === undefined)
    throw new Error('the runtime has no session.setKeys');
  const { keys, proof } = await rpc.author_rotateKeysWithOwner({ owner: bytesToHex(alice.publicKey) });
  const call = concatBytes(
    Uint8Array.of(session.index, setKeys),
    hexToBytes(keys),
    new Writer(256).vecBytes(hexToBytes(proof ?? '0x')).finish(),
  );
  const version = await rpc.state_getRuntimeVersion();
  const signed = signTransaction(crypto, outline, call, alice, {
    nonce: 0,
    genesis: hexToBytes((await rpc.chain_getBlockHash({ hash: 0 })) as string),
    version: { ...version, apis: [] },
  });
  if (signed === null) throw new Error('the runtime has an unknown signed extension');
  return bytesToHex(signed);
};
