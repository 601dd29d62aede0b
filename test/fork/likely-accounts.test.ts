import { expect, it } from 'vitest';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createAccountReader } from '../../worker/fork/reads/likely-accounts.ts';

const crypto = await loadCrypto();
const signer = new Uint8Array(32).fill(0x11);
const recipient = new Uint8Array(32).fill(0x22);
/** Each second byte is like the mark before an account. */
const signature = Uint8Array.from({ length: 64 }, (_, index) => (index % 2 === 0 ? 0 : 0x33));

/** A transfer: version, signer, signature, era, nonce, tip, call, recipient, amount. */
const transfer = (isSigned: boolean): Uint8Array => {
  const body = new Writer(256);
  if (isSigned) body.u8(0x84).u8(0).raw(signer).u8(1).raw(signature).u8(0x15).u8(2).u8(4).u8(4);
  else body.u8(4);
  return new Writer(256).vecBytes(body.u8(6).u8(3).u8(0).raw(recipient).u8(0x2c).finish()).finish();
};

const readBy = (extrinsic: Uint8Array): string[] => {
  const ids: string[] = [];
  const get = (key: Uint8Array): null => {
    ids.push(bytesToHex(key.slice(-32)));
    return null;
  };
  createAccountReader(crypto)({ get }, extrinsic);
  return ids;
};

it('reads the signer and the recipient of a transfer, and nothing that its signature looks like', () => {
  expect(readBy(transfer(true))).toEqual([bytesToHex(signer), bytesToHex(recipient)]);
  expect(readBy(transfer(false))).toContain(bytesToHex(recipient));
});
