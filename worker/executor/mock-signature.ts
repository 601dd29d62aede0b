const mark = [0xde, 0xad, 0xbe, 0xef];
const filler = 0xcd;
const length = 64;

/** A mock signature of 64 bytes in the format of chopsticks: 0xdeadbeef, then 0xcd bytes. */
export const mockSignature = (): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => mark[index] ?? filler);

/** The same as a signature of Ethereum, which has one more byte. polkadot-js leaves that byte of its fake signature, 01. */
export const mockRecoverable = (): Uint8Array => Uint8Array.of(...mockSignature(), 1);

export const isMockSignature = (signature: Uint8Array): boolean =>
  signature.every((byte, index) => byte === (mark[index] ?? filler));

/** Whether a signature that has a 65th byte is one. Any value of that byte is taken. */
export const isMockRecoverable = (signature: Uint8Array): boolean =>
  isMockSignature(signature.subarray(0, length));

/** Bytes of an account of Ethereum. */
const accountBytes = 20;
/** The first byte of a signed extrinsic of version 4. */
const signedV4 = 0x84;
/** `Address20` of sp_runtime::MultiAddress. */
const address20 = 3;

/**
 * The accounts of 20 bytes that have signed with a mock signature, in the order of their extrinsics in the input of a runtime call:
 * each extrinsic has the version, the account, and the signature after it.
 */
export const findMockSigners = (input: Uint8Array): Uint8Array[] => {
  const found: Uint8Array[] = [];
  for (let at = input.indexOf(0xde); at >= 0; at = input.indexOf(0xde, at + 1)) {
    const from = at - accountBytes;
    const isSigned =
      input[from - 1] === signedV4 || (input[from - 1] === address20 && input[from - 2] === signedV4);
    if (
      from > 0 &&
      isSigned &&
      at + length < input.length &&
      isMockSignature(input.subarray(at, at + length))
    )
      found.push(input.slice(from, at));
  }
  return found;
};
