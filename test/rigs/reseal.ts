import { decodeDigestItem, encodeEngineItem } from '../../worker/codec/digest.ts';
import { encodeHeader, type Header } from '../../worker/codec/header.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';

/** Replaces the last item of a header with a valid seal by the same engine over the rest of the header. */
export const sealWith = (crypto: Crypto, header: Header, suri = '//Alice'): Header => {
  const digest = header.digest.slice(0, -1);
  const last = decodeDigestItem(header.digest.at(-1) as Uint8Array);
  const engine = last.kind === 'seal' ? last.engine : 'BABE';
  const { secret } = crypto.suriToPair(suri, 'sr25519');
  const signature = crypto.sr25519Sign(secret, crypto.blake2b256(encodeHeader({ ...header, digest })));
  return { ...header, digest: [...digest, encodeEngineItem('seal', engine, signature)] };
};
