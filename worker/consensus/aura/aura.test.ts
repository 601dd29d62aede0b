import { expect, it } from 'vitest';
import { encodeEngineItem } from '../../codec/digest.ts';
import { encodeHeader } from '../../codec/header.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { checkSlotAuthor } from './aura.ts';

const crypto = await loadCrypto();
const zeros = new Uint8Array(32);
const unsealed = { parentHash: zeros, number: 1, stateRoot: zeros, extrinsicsRoot: zeros, digest: [] };
const hash = crypto.blake2b256(encodeHeader(unsealed));
const ed25519 = crypto.suriToPair('//Alice', 'ed25519');

it('the author of a slot may seal with a key of either scheme', () => {
  const seal = crypto.ed25519Sign(ed25519.secret, hash);
  const header = { ...unsealed, digest: [encodeEngineItem('seal', 'aura', seal)] };
  const turn = { slot: 3n, seal, authorities: [zeros, ed25519.publicKey] };
  expect(checkSlotAuthor(crypto, header, turn)).toEqual({ ok: true, author: ed25519.publicKey });
  const flipped = seal.slice();
  flipped[5] = (flipped[5] as number) ^ 1;
  expect(checkSlotAuthor(crypto, header, { ...turn, seal: flipped })).toMatchObject({ code: 'BadSeal' });
  expect(checkSlotAuthor(crypto, header, { ...turn, slot: 2n })).toMatchObject({ code: 'BadSeal' });
});
