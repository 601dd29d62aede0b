import { bytesToText, concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { type ByteStream, readMessage, withLength } from './streams.ts';

/** multistream-select 1.0: both sides agree on the protocol of a stream. */
const version = '/multistream/1.0.0';
const maxLineBytes = 1024;
const maxProposals = 16;

const line = (text: string): Uint8Array => withLength(textToBytes(`${text}\n`));

const readLine = async (stream: ByteStream): Promise<string> => {
  const text = bytesToText(await readMessage(stream, maxLineBytes));
  if (!text.endsWith('\n')) throw new RangeError('a line of multistream-select does not end');
  return text.slice(0, -1);
};

const readVersion = async (stream: ByteStream): Promise<void> => {
  const theirs = await readLine(stream);
  if (theirs !== version) throw new RangeError(`multistream-select has another version: ${theirs}`);
};

/** Proposes a protocol on a stream that we opened. Throws if it is refused. */
export const propose = async (stream: ByteStream, protocol: string): Promise<void> => {
  stream.send(concatBytes(line(version), line(protocol)));
  await readVersion(stream);
  const reply = await readLine(stream);
  if (reply !== protocol) throw new Error(`${protocol}: ${reply}`);
};

/** Takes the first known one of the protocols that the other side proposes; null if it knows no other. */
export const accept = async (
  stream: ByteStream,
  isKnown: (protocol: string) => boolean,
): Promise<string | null> => {
  await readVersion(stream);
  stream.send(line(version));
  for (let proposals = 0; proposals < maxProposals; proposals++) {
    const protocol = await readLine(stream);
    if (isKnown(protocol)) {
      stream.send(line(protocol));
      return protocol;
    }
    stream.send(line('na'));
  }
  return null;
};
