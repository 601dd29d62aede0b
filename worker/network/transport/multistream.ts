import { bytesToText, concatBytes, noBytes, textToBytes } from '../../bytes/bytes.ts';
import { createDeframer, withLength } from './framing.ts';
import { ProtocolError } from './protocol-error.ts';

/**
 * multistream-select 1.0: both sides agree on the protocol of a stream
 * (https://github.com/multiformats/multistream-select). Each line is a message that ends in a line feed.
 */
const version = '/multistream/1.0.0';
const refusal = 'na';
const maxLineBytes = 1024;
const maxProposals = 16;

const line = (text: string): Uint8Array => withLength(textToBytes(`${text}\n`));

const readLine = (bytes: Uint8Array): string => {
  if (bytes.at(-1) !== 10) throw new ProtocolError('A line of multistream-select does not end');
  try {
    return bytesToText(bytes.subarray(0, -1));
  } catch {
    throw new ProtocolError('A line of multistream-select is not a text');
  }
};

/** One side of an agreement. */
export type Negotiation = {
  /** What this side sends first. */
  readonly opening: Uint8Array;
  /** Reads lines from `from` until it is over, and returns where it stopped. `send` is called with the replies. */
  read(bytes: Uint8Array, from: number, send: (bytes: Uint8Array) => void): number;
  /** The name that both sides agreed on; `refused`: there is none. */
  outcome(): { readonly name: string } | 'refused' | null;
};

/** A reply, the outcome, or both. */
type Step = { readonly reply?: Uint8Array; readonly outcome?: { readonly name: string } | 'refused' };

const negotiate = (opening: Uint8Array, next: (line: Uint8Array) => Step): Negotiation => {
  const lines = createDeframer('length', maxLineBytes);
  let hasVersion = false;
  let outcome: ReturnType<Negotiation['outcome']> = null;
  const onLine = (bytes: Uint8Array): Uint8Array => {
    if (hasVersion) {
      const step = next(bytes);
      outcome = step.outcome ?? null;
      return step.reply ?? noBytes;
    }
    if (readLine(bytes) !== version) throw new ProtocolError('The other side has no multistream-select 1.0');
    hasVersion = true;
    return noBytes;
  };
  return {
    opening,
    read: (bytes, from, send) => {
      let at = from;
      while (at < bytes.length && outcome === null) {
        at = lines.read(bytes, at);
        const bytesOfLine = lines.take();
        const reply = bytesOfLine === null ? noBytes : onLine(bytesOfLine);
        if (reply.length > 0) send(reply);
      }
      return at;
    },
    outcome: () => outcome,
  };
};

/**
 * The side that dials or opens a stream. The version and the first proposal leave together; with a single name, what
 * follows may leave with them.
 */
export const proposeNames = (names: readonly string[]): Negotiation => {
  let asked = 0;
  const opening = concatBytes(line(version), line(names[0] ?? ''));
  return negotiate(opening, (bytes) => {
    const text = readLine(bytes);
    const name = names[asked] ?? '';
    if (text === name) return { outcome: { name } };
    if (text !== refusal)
      throw new ProtocolError('The other side agrees to a protocol that was not proposed');
    const following = names[++asked];
    return following === undefined ? { outcome: 'refused' } : { reply: line(following) };
  });
};

/**
 * The other side: takes the first proposal that it knows. After a refusal, what is no line may be a message of somebody
 * who has not waited, and the stream is refused as well. Throws `ProtocolError` after 16 proposals.
 */
export const acceptNames = (isKnown: (name: string) => boolean): Negotiation => {
  let refused = 0;
  let isRefused = false;
  const negotiation = negotiate(line(version), (bytes) => {
    const name = readLine(bytes);
    if (isKnown(name)) return { reply: line(name), outcome: { name } };
    refused++;
    if (refused === maxProposals) throw new ProtocolError('The other side proposes too many protocols');
    return { reply: line(refusal) };
  });
  return {
    opening: negotiation.opening,
    read: (bytes, from, send) => {
      try {
        return negotiation.read(bytes, from, send);
      } catch (error) {
        isRefused = error instanceof ProtocolError && refused > 0 && refused < maxProposals;
        if (isRefused) return bytes.length;
        throw error;
      }
    },
    outcome: () => (isRefused ? 'refused' : negotiation.outcome()),
  };
};
