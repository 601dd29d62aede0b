import { NodeError } from '../../../src/protocol/errors.ts';
import { bytesToText, equalBytes, textToBytes } from '../../bytes/bytes.ts';
import { decodeWhole } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import type { Hash } from '../../crypto/hashes.ts';
import { parseChainSpec } from './parse-spec.ts';
import { scanRawText } from './raw-text.ts';
import type { ChainSpec, GivenSpec, RawState, Sourced } from './spec.ts';
import { badSpec } from './spec-fields.ts';

/** What a database knows of the raw specification with which it was opened last. */
type SpecRecord = {
  /** The genesis that the specification yields. */
  readonly genesis: BlockHash;
  /** Hash of the text. */
  readonly identity: Uint8Array;
  /** Of the file; empty if it has none. */
  readonly stamp: string;
  /** The text with an empty state. */
  readonly head: Uint8Array;
};

/** A specification with more around its state is read each time. */
const maxHead = 1024 * 1024;

const encodeRecord = ({ genesis, identity, stamp, head }: SpecRecord): Uint8Array =>
  new Writer(head.length + 256)
    .raw(blockHashToBytes(genesis))
    .raw(identity)
    .vecBytes(textToBytes(stamp))
    .vecBytes(head)
    .finish();

const decodeRecord = (bytes: Uint8Array): SpecRecord =>
  decodeWhole(bytes, (reader) => ({
    genesis: bytesToBlockHash(reader.take(32)),
    identity: reader.take(32),
    stamp: reader.text(),
    head: reader.vecBytes(),
  }));

type Parsed = { readonly spec: ChainSpec; readonly raw: RawState | null; readonly head: Uint8Array | null };

const scan = (text: Uint8Array): Parsed | null => {
  const found = scanRawText(text);
  if (found === null) return null;
  const { head, top, children } = found;
  try {
    const raw: RawState = { kind: 'raw', top, children };
    return { spec: { ...parseChainSpec(bytesToText(head)), genesis: raw }, raw, head };
  } catch {
    // What is wrong is said with its place in the whole text.
    return null;
  }
};

/** A text beyond the longest string can only be scanned. */
const decode = (text: Uint8Array): string => {
  try {
    return bytesToText(text);
  } catch (cause) {
    const megabytes = Math.round(text.length / 1e6);
    throw badSpec(
      `its ${megabytes} MB are not a raw specification in plain JSON, and too long otherwise`,
      cause,
    );
  }
};

const parse = (text: Uint8Array): Parsed => {
  const scanned = scan(text);
  if (scanned !== null) return scanned;
  const spec = parseChainSpec(decode(text));
  return { spec, raw: spec.genesis.kind === 'raw' ? spec.genesis : null, head: null };
};

const changed = (): NodeError =>
  new NodeError('BadSpec', 'The chain specification has changed since it was read: start the node again');

/** The specification without its state, which `load` reads again once it was released. */
const withoutState = (
  { spec, identity, given, hash }: Pick<Sourced, 'spec' | 'identity'> & { given: GivenSpec; hash: Hash },
  first: RawState | null,
): Pick<Sourced, 'spec' | 'identity' | 'release'> => {
  let kept = first;
  const load = async (): Promise<RawState> => {
    if (kept !== null) return kept;
    const text = await given.read();
    if (!equalBytes(hash(text), identity)) throw changed();
    const { raw } = parse(text);
    if (raw === null) throw changed();
    return raw;
  };
  return {
    spec: { ...spec, genesis: { kind: 'unread', load } },
    identity,
    release: () => {
      kept = null;
    },
  };
};

/**
 * Reads a specification that was given as a text or a file. `stored` is the record of the database: with it, a file whose stamp
 * is the same is not read, and a text with the same hash is not parsed. Throws `BadSpec`.
 */
export const readGivenSpec = async (
  hash: Hash,
  given: GivenSpec,
  stored: Uint8Array | null,
): Promise<Sourced> => {
  const known = stored === null ? null : decodeRecord(stored);
  const remember = (identity: Uint8Array, head: Uint8Array) => (genesis: BlockHash) => {
    const record = encodeRecord({ genesis, identity, stamp: given.stamp ?? '', head });
    return stored !== null && equalBytes(record, stored) ? null : record;
  };
  const again = ({ identity, head, genesis }: SpecRecord): Sourced => ({
    ...withoutState({ spec: parseChainSpec(bytesToText(head)), identity, given, hash }, null),
    genesis,
    remember: remember(identity, head),
  });
  if (known !== null && given.stamp !== null && known.stamp === given.stamp) return again(known);
  const text = await given.read();
  const identity = hash(text);
  if (known !== null && equalBytes(known.identity, identity)) return again(known);
  const { spec, raw, head } = parse(text);
  if (raw === null || head === null || head.length > maxHead) return { spec, identity };
  return { ...withoutState({ spec, identity, given, hash }, raw), remember: remember(identity, head) };
};
