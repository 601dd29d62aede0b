import { acceptNames, type Negotiation, proposeNames } from './multistream.ts';
import type { Identity } from './noise/identity.ts';
import { fillWith } from './noise/records.ts';
import { createSecure, type SecureOptions } from './noise/secure.ts';
import { ProtocolError } from './protocol-error.ts';

const noiseName = '/noise';
const yamuxName = '/yamux/1.0.0';

const agreeOnName = (isDialer: boolean, name: string): Negotiation =>
  isDialer ? proposeNames([name]) : acceptNames((proposed) => proposed === name);

/** Reads names while there is no agreement; returns where it stopped. */
const readNames = (
  negotiation: Negotiation,
  bytes: Uint8Array,
  send: (bytes: Uint8Array) => void,
): number => {
  if (negotiation.outcome() !== null) return 0;
  const at = negotiation.read(bytes, 0, send);
  if (negotiation.outcome() === 'refused')
    throw new ProtocolError('The other side has no protocol in common for encryption and streams');
  return at;
};

export type UpgradeEvents = {
  readonly send: (bytes: Uint8Array) => void;
  /** Both sides are ready. */
  readonly ready: (identity: Identity) => void;
  /** What the other side sends from then on, as views that are valid during the call only. */
  readonly plain: (bytes: Uint8Array) => void;
};

/**
 * Turns the bytes of a carrier into encrypted ones of a known peer that both sides use for yamux. The dialing side
 * does not wait for the agreement on Noise, so it takes two round trips.
 */
export const createUpgrade = (options: SecureOptions, { send, ready, plain }: UpgradeEvents) => {
  const { isDialer } = options;
  const secure = createSecure(options);
  const onNoise = agreeOnName(isDialer, noiseName);
  const onYamux = agreeOnName(isDialer, yamuxName);
  let isSecure = false;
  let isReady = false;
  const sendSealed = (bytes: Uint8Array): void => {
    const sealed = secure.write(fillWith(bytes));
    if (sealed !== null) send(sealed);
  };
  const checkSecure = (): void => {
    if (isSecure || secure.identity() === null) return;
    isSecure = true;
    sendSealed(onYamux.opening);
  };
  const onPlain = (bytes: Uint8Array): void => {
    checkSecure();
    const at = readNames(onYamux, bytes, sendSealed);
    const identity = secure.identity();
    if (!isReady && onYamux.outcome() !== null && identity !== null) {
      isReady = true;
      ready(identity);
    }
    if (isReady && at < bytes.length) plain(bytes.subarray(at));
  };
  return {
    start: (): void => {
      send(onNoise.opening);
      if (secure.opening.length > 0) send(secure.opening);
    },
    /** Throws `ProtocolError`. */
    read: (bytes: Uint8Array): void => {
      const at = readNames(onNoise, bytes, send);
      if (onNoise.outcome() === null) return;
      secure.read(bytes.subarray(at), send, onPlain);
      checkSecure();
    },
    write: secure.write,
  };
};
