import { generateKeyPairSync, sign } from 'node:crypto';

/** One DER value: tag, length, contents. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  const bytes = new Uint8Array(1 + length.length + size);
  bytes.set([tag, ...length]);
  let at = 1 + length.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};
const sequence = (...parts: readonly Uint8Array[]): Uint8Array => der(0x30, ...parts);
const text = (tag: number, value: string): Uint8Array => der(tag, new TextEncoder().encode(value));

// Object identifiers, as DER writes them.
const ecdsaWithSha256 = sequence(der(0x06, Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)));
const commonName = der(0x06, Uint8Array.of(0x55, 0x04, 0x03));

const pem = (bytes: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${btoa(String.fromCharCode(...bytes))}\n-----END CERTIFICATE-----\n`;

/** A certificate for a host, which nobody trusts, and its key: for https in tests. */
export const createSelfSigned = (host: string): { readonly key: string; readonly cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, text(0x0c, host))));
  const validity = sequence(text(0x17, '200101000000Z'), text(0x17, '491231235959Z'));
  const spki = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }));
  const serial = der(0x02, Uint8Array.of(1));
  const body = sequence(serial, ecdsaWithSha256, name, validity, name, spki);
  const signature = new Uint8Array(sign('sha256', body, privateKey));
  const cert = sequence(body, ecdsaWithSha256, der(0x03, Uint8Array.of(0), signature));
  return { key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), cert: pem(cert) };
};
