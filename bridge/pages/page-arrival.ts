import { timingSafeEqual } from 'node:crypto';
import type { WebSocket } from 'ws';
import {
  bridgeCloseCodes,
  type HostNote,
  idOfSecret,
  newNonce,
  proveSecret,
  readNote,
} from '../../src/protocol/bridge.ts';
import type { Pairing } from './pairing.ts';

/** A page that has proven that it knows the secret, and whose user has agreed. */
export type Arrived = { readonly name: string; readonly genesisHash: string; readonly tab: string };

type Note = Readonly<Record<string, unknown>>;

/** Time limit for each of the page's proofs. `agreeMs` is the one for its user. */
const proofMs = 10_000;
const agreeMs = 10 * 60_000;
const maxText = 200;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= maxText ? value : null;

const isSame = (one: string, other: string): boolean => {
  const bytes = [one, other].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  return bytes[0].length === bytes[1].length && timingSafeEqual(...bytes);
};

/** Why a page is refused, with the code that closes its socket. Never text of the page, which is untrusted. */
export type PageRefusal = { readonly code: number; readonly reason: string };

class Refused extends Error {
  readonly code: number;
  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}
const outOfOrder = (): Refused => new Refused(bridgeCloseCodes.badFrame, 'Out of order');

/** Resolves to the page's next note; rejects with `Refused` if it is of another kind. */
const nextNote = (socket: WebSocket, kind: string, withinMs: number): Promise<Note> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new Refused(bridgeCloseCodes.declined, 'Too late')), withinMs);
    const done = (): void => {
      clearTimeout(timer);
      socket.off('message', take);
      socket.off('close', gone);
    };
    const fail = (reason: Refused): void => {
      done();
      reject(reason);
    };
    const gone = (code: number): void =>
      fail(new Refused(code, code === bridgeCloseCodes.declined ? 'The user declined' : 'The page left'));
    const take = (data: Uint8Array, isBinary: boolean): void => {
      const note = isBinary ? null : readNote(new TextDecoder().decode(data));
      if (note?.['note'] === kind) {
        done();
        resolve(note);
      } else fail(outOfOrder());
    };
    socket.on('message', take);
    socket.once('close', gone);
  });

const unknownSecret = (kind: unknown): Refused =>
  new Refused(
    bridgeCloseCodes.unknownSecret,
    kind === 'token'
      ? 'This page is not paired with this bridge'
      : 'The pairing code is wrong, used or expired',
  );

const receive = async (
  socket: WebSocket,
  origin: string,
  pairing: Pairing,
  takeFirst: () => boolean,
): Promise<Arrived> => {
  const send = (note: HostNote): void => socket.send(JSON.stringify(note));
  const hello = await nextNote(socket, 'hello', proofMs);
  const page = textOf(hello['nonce']);
  const kind = hello['secret'] === 'token' ? 'token' : 'code';
  const secret = pairing.secretOf(kind, origin);
  if (page === null) throw outOfOrder();
  if (secret === null || !isSame(String(hello['id']), await idOfSecret(secret))) throw unknownSecret(kind);
  const nonces = { page, bridge: newNonce() };
  send({ note: 'hello', nonce: nonces.bridge, proof: await proveSecret(secret, 'bridge', nonces) });
  const { proof } = await nextNote(socket, 'proof', proofMs);
  if (!isSame(String(proof), await proveSecret(secret, 'page', nonces))) throw unknownSecret(kind);
  send({ note: 'welcome', token: pairing.tokenOf(origin), acceptFirst: kind === 'code' && takeFirst() });
  const serve = await nextNote(socket, 'serve', agreeMs).catch((error: unknown) => {
    const isDeclined = error instanceof Refused && error.code === bridgeCloseCodes.declined;
    if (isDeclined && kind === 'code' && pairing.secretOf(kind, origin) === secret) pairing.useCode();
    throw error;
  });
  const { name, genesisHash, tab } = serve;
  const arrived = { name: textOf(name), genesisHash: textOf(genesisHash), tab: textOf(tab) };
  if (Object.values(arrived).includes(null)) throw outOfOrder();
  // The code is used up only now, so that a page may reload while its user is asked. Another page may have
  // used it in the meantime.
  if (pairing.secretOf(kind, origin) !== secret) throw unknownSecret(kind);
  if (kind === 'code') pairing.useCode();
  return arrived as Arrived;
};

/**
 * Checks that a page knows the pairing code or its token, and waits for its user's consent. If the page is
 * refused, closes its socket and resolves to the reason.
 */
export const receivePage = async (
  socket: WebSocket,
  origin: string,
  pairing: Pairing,
  takeFirst: () => boolean,
): Promise<Arrived | PageRefusal> => {
  try {
    return await receive(socket, origin, pairing, takeFirst);
  } catch (error) {
    if (!(error instanceof Refused)) {
      socket.terminate();
      return { code: bridgeCloseCodes.badFrame, reason: 'Its messages could not be read' };
    }
    if (socket.readyState === socket.OPEN) socket.close(error.code, error.message);
    return { code: error.code, reason: error.message };
  }
};
