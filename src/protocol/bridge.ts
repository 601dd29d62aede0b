import type { ConnectOptions } from './node.ts';

/**
 * The WebSocket protocol between a page and a bridge, through which the page's node serves the bridge's
 * clients. A frame is a text: either a note as JSON, or a client's message prefixed with its channel.
 *
 * Both sides first prove that they know the same secret (a pairing code, or the token of an earlier pairing)
 * without sending it. A program that took over the bridge's port, or a page of another site, therefore
 * neither learns the secret nor reaches the node.
 */
export const bridgeProtocol = 'tabnode-bridge.1';

/** Codes with which a bridge or a page closes the WebSocket. */
export const bridgeCloseCodes = {
  /** The pairing code is wrong, used or expired, or the token was not issued by this bridge. */
  unknownSecret: 4401,
  /** The page's user did not agree, or disconnected. */
  declined: 4403,
  /** The name belongs to another page. */
  nameTaken: 4409,
  /** A frame does not follow this protocol. */
  badFrame: 4400,
} as const;

/** A client, as far as the bridge can identify it. */
export type BridgeClient = {
  readonly transport: 'ws' | 'http';
  /** The page it belongs to; null for a program. */
  readonly origin: string | null;
  /** Its User-Agent header, shortened; null if it sends none. */
  readonly agent: string | null;
};

export type Secret = 'code' | 'token';

/** Notes of a page, in the order of a connection's life. */
export type PageNote =
  /** `id` identifies the secret to the bridge (`idOfSecret`). */
  | { readonly note: 'hello'; readonly secret: Secret; readonly id: string; readonly nonce: string }
  | { readonly note: 'proof'; readonly proof: string }
  /** The user agreed. `tab` is the same across reloads, so that the tab keeps its name. */
  | { readonly note: 'serve'; readonly name: string; readonly genesisHash: string; readonly tab: string }
  | { readonly note: 'closed'; readonly channel: number };

/** Notes of a bridge. */
export type HostNote =
  | { readonly note: 'hello'; readonly nonce: string; readonly proof: string }
  /** The token is for the next connection from this origin. `acceptFirst`: the user need not be asked. */
  | { readonly note: 'welcome'; readonly token: string; readonly acceptFirst: boolean }
  | { readonly note: 'serving'; readonly name: string; readonly ws: string; readonly http: string }
  | {
      readonly note: 'open';
      readonly channel: number;
      readonly options: ConnectOptions;
      readonly client: BridgeClient;
    }
  | { readonly note: 'blocked'; readonly channel: number; readonly isBlocked: boolean }
  | { readonly note: 'full'; readonly channel: number; readonly isFull: boolean }
  | { readonly note: 'close'; readonly channel: number };

/** Texts of a channel; `number` identifies an HTTP request (`NumberedText`), whose response may be null. */
export type ChannelFrame =
  | { readonly channel: number; readonly number: null; readonly texts: readonly string[] }
  | { readonly channel: number; readonly number: number; readonly text: string | null };

const head = /^(\d{1,15})(?:#(\d{1,15})(!?)|\*([\d,]{1,200000}))? /;

/** One text or several: `CHANNEL TEXT`, or `CHANNEL*LENGTH,LENGTH… TEXTTEXT…` in UTF-16 units. */
export const writeTexts = (channel: number, data: string | readonly string[]): string => {
  if (typeof data === 'string') return `${channel} ${data}`;
  if (data.length === 1) return `${channel} ${data[0]}`;
  return `${channel}*${data.map(({ length }) => length).join(',')} ${data.join('')}`;
};

/** A numbered text: `CHANNEL#NUMBER TEXT`, or `CHANNEL#NUMBER! ` for null. */
export const writeNumbered = (channel: number, number: number, text: string | null): string =>
  `${channel}#${number}${text === null ? '!' : ''} ${text ?? ''}`;

const split = (body: string, lengths: readonly number[]): readonly string[] | null => {
  const texts: string[] = [];
  let at = 0;
  for (const length of lengths) {
    texts.push(body.slice(at, at + length));
    at += length;
  }
  return at === body.length ? texts : null;
};

/** Parses the frame of a channel; null if it is not one. */
export const readFrame = (frame: string): ChannelFrame | null => {
  const match = head.exec(frame);
  if (match === null) return null;
  const [start, id, number, isNull, lengths] = match;
  const channel = Number(id);
  const body = frame.slice(start.length);
  if (number !== undefined) return { channel, number: Number(number), text: isNull === '!' ? null : body };
  if (lengths === undefined) return { channel, number: null, texts: [body] };
  const texts = split(body, lengths.split(',').map(Number));
  return texts === null ? null : { channel, number: null, texts };
};

const bundleHead = /^\+(\d[\d,]{0,200000}) /;

/**
 * Joins several frames into one message, `+LENGTH,LENGTH… FRAMEFRAME…`, because the cost per message
 * dominates.
 */
export const writeBundle = (frames: readonly string[]): string =>
  frames.length === 1
    ? (frames[0] as string)
    : `+${frames.map(({ length }) => length).join(',')} ${frames.join('')}`;

/** Splits a message into frames; null if it is a bundle whose lengths are wrong. */
export const readBundle = (message: string): readonly string[] | null => {
  if (!message.startsWith('+')) return [message];
  const match = bundleHead.exec(message);
  if (match === null) return null;
  const [start, lengths = ''] = match;
  return split(message.slice(start.length), lengths.split(',').map(Number));
};

const maxBundled = 1000;
const maxBundleLength = 256 * 1024;

/** Bundles the frames sent in one turn of the event loop. `soon` runs a function at its end. */
export const createBundler = (
  send: (message: string) => void,
  soon: (run: () => void) => void,
): ((frame: string) => void) => {
  let frames: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (frames.length === 0) return;
    const all = frames;
    frames = [];
    length = 0;
    send(writeBundle(all));
  };
  return (frame) => {
    frames.push(frame);
    length += frame.length;
    if (frames.length >= maxBundled || length > maxBundleLength) flush();
    else if (frames.length === 1) soon(flush);
  };
};

/** Parses a note from the other side; null if it is not one. Its fields are not validated. */
export const readNote = (frame: string): Readonly<Record<string, unknown>> | null => {
  if (!frame.startsWith('{')) return null;
  try {
    const note: unknown = JSON.parse(frame);
    return typeof note === 'object' && note !== null ? (note as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

export const newNonce = (): string => toText(globalThis.crypto.getRandomValues(new Uint8Array(16)));

/** Base64url without padding. */
export const toText = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');

const hmacOf = async (secret: string, message: string): Promise<string> => {
  const utf8 = new TextEncoder();
  const hmac = { name: 'HMAC', hash: 'SHA-256' } as const;
  const key = await globalThis.crypto.subtle.importKey('raw', utf8.encode(secret), hmac, false, ['sign']);
  const signed = await globalThis.crypto.subtle.sign('HMAC', key, utf8.encode(message));
  return toText(new Uint8Array(signed));
};

/** The proof of one side: HMAC-SHA256 of its role and both nonces, with the secret as the key. */
export const proveSecret = (
  secret: string,
  role: 'page' | 'bridge',
  nonces: { readonly page: string; readonly bridge: string },
): Promise<string> => hmacOf(secret, `${bridgeProtocol} ${role} ${nonces.page} ${nonces.bridge}`);

/** Identifies a secret without revealing it: secrets have at least 128 random bits. */
export const idOfSecret = (secret: string): Promise<string> => hmacOf(secret, `${bridgeProtocol} id`);
