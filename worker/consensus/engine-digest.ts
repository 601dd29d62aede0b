import { type Refusal, refuse } from '../chain/refusal.ts';
import { decodeDigestItem, isSeal } from '../codec/digest.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import type { Crypto } from '../crypto/crypto.ts';

/** An engine's items in a header: the payloads of its pre-digest and its seal (a signature of 64 bytes). */
type EngineDigest = { readonly ok: true; readonly claim: Uint8Array; readonly seal: Uint8Array };

export const at = (header: Pick<Header, 'number'>, what: string): string => `Block #${header.number} ${what}`;

/**
 * Requires exactly one seal, the last item and of this engine, and exactly one of its pre-digests (`BadSeal`,
 * `BadDigest`).
 */
export const readEngineDigest = (header: Header, engine: 'BABE' | 'aura'): EngineDigest | Refusal => {
  const items = header.digest.map(decodeDigestItem);
  const last = items.at(-1);
  if (last?.kind !== 'seal') return refuse('BadSeal', at(header, `does not end with a seal of ${engine}`));
  if (last.engine !== engine || last.data.length !== 64)
    return refuse(
      'BadSeal',
      at(
        header,
        `ends with a seal of "${last.engine}", ${last.data.length} bytes long, not with one of ${engine}, 64`,
      ),
    );
  if (header.digest.filter(isSeal).length > 1) return refuse('BadSeal', at(header, 'has more than one seal'));
  const claims = items.flatMap((item) =>
    item.kind === 'preRuntime' && item.engine === engine ? [item.data] : [],
  );
  const [claim] = claims;
  return claim === undefined || claims.length > 1
    ? refuse('BadDigest', at(header, `has ${claims.length} pre-digests of ${engine}, not one`))
    : { ok: true, claim, seal: last.data };
};

/** A time for messages. A runtime's milliseconds since 1970 may exceed the range of a Date. */
export const timeText = (ms: number): string =>
  ms <= 8_640_000_000_000_000 ? new Date(ms).toISOString() : `${ms} ms after 1970`;

type Scheme = 'sr25519Verify' | 'ed25519Verify';

/**
 * Checks that the author signed the header without its seal, by one of the schemes. Returns the reason for
 * refusal (`BadSeal`), or null.
 */
export const checkSeal = (
  crypto: Pick<Crypto, 'blake2b256' | Scheme>,
  header: Header,
  seal: Uint8Array,
  author: Uint8Array,
  schemes: readonly Scheme[] = ['sr25519Verify'],
): Refusal | null => {
  const unsealed = encodeHeader({ ...header, digest: header.digest.slice(0, -1) });
  const hash = crypto.blake2b256(unsealed);
  return schemes.some((verify) => crypto[verify](seal, hash, author))
    ? null
    : refuse('BadSeal', at(header, 'has a seal that is not a signature of its author'));
};
