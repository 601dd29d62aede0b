import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { FileContent, FilePart } from './block-file.ts';

/** A block, and its position in the file. */
export type PlacedBlock = { readonly where: string; readonly number: number; readonly bytes: Uint8Array };

/** Why the rest of a file cannot be imported. */
export type FileFault = {
  readonly error: unknown;
  /** Null if the file itself could not be read. */
  readonly where: string | null;
  /** The block's number, if it was read. */
  readonly number: number | null;
};

/** Consecutive blocks of a file that go to the node in one message. */
export type BlockBatch = {
  /** Empty only before a fault. */
  readonly blocks: readonly PlacedBlock[];
  /** What the file declares for them (decision 23). */
  readonly chainTimeMs: number;
  /** What follows these blocks; null if the file can be read on. */
  readonly fault: FileFault | null;
};

/**
 * A message takes as long as an empty block. Bounded, so that progress is shown for full blocks, and so that
 * messages in flight take little memory. A larger block is sent alone.
 */
export const batchLimits = { blocks: 32, bytes: 128 * 1024 } as const;

const otherChain = (genesisHash: string): NodeError =>
  new NodeError('BadBlock', `The blocks belong to another chain: ${genesisHash}`);

const checkChain = (found: FileContent, genesisHash: string): void => {
  if (found.kind === 'chain') {
    if (found.genesisHash !== genesisHash) throw otherChain(found.genesisHash);
    return;
  }
  const parent = found.number === 1 ? bytesToHex(found.parentHash) : genesisHash;
  if (parent !== genesisHash) throw otherChain(parent);
};

type Found = FileContent | { readonly kind: 'fault'; readonly fault: FileFault };

/** The contents of a file up to the first fault. */
async function* readContents(
  parts: AsyncIterator<FilePart>,
  genesisHash: string,
): AsyncGenerator<{ readonly where: string; readonly found: Found }> {
  let where: string | null = null;
  let number: number | null = null;
  try {
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
      ({ where } = next.value);
      const found = next.value.content();
      if (found.kind === 'block') ({ number } = found);
      checkChain(found, genesisHash);
      yield { where, found };
      where = null;
      number = null;
    }
  } catch (error) {
    yield { where: '', found: { kind: 'fault', fault: { error, where, number } } };
  }
}

/** Resolves once what is in memory has been read: a pipe may stay open for long. */
const soon = (): Promise<null> => new Promise((resolve) => setImmediate(() => resolve(null)));

/** The blocks of a file in batches. Ends with the batch that has a fault. The genesis block is left out: it is built from the specification. */
export async function* batchBlocks(
  parts: AsyncIterator<FilePart>,
  genesisHash: string,
): AsyncGenerator<BlockBatch> {
  let blocks: PlacedBlock[] = [];
  let size = 0;
  let chainTimeMs = 0;
  const take = (fault: FileFault | null = null): BlockBatch => {
    const batch = { blocks, chainTimeMs, fault };
    blocks = [];
    size = 0;
    return batch;
  };
  const contents = readContents(parts, genesisHash);
  let reading = contents.next();
  for (;;) {
    const next = blocks.length === 0 ? await reading : await Promise.race([reading, soon()]);
    if (next === null) {
      yield take();
      continue;
    }
    if (next.done === true) break;
    reading = contents.next();
    const { where, found } = next.value;
    if (found.kind === 'fault') {
      yield take(found.fault);
      return;
    }
    if (found.kind === 'chain') {
      if (blocks.length > 0) yield take();
      ({ chainTimeMs } = found);
      continue;
    }
    const { number, bytes } = found;
    if (number === 0) continue;
    const isFull = blocks.length === batchLimits.blocks || size + bytes.length > batchLimits.bytes;
    if (isFull && blocks.length > 0) yield take();
    blocks.push({ where, number, bytes });
    size += bytes.length;
  }
  if (blocks.length > 0) yield take();
}
