import { quoteName } from '../../src/protocol/chain-id.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { createBoundedMap } from '../bytes/bounded-map.ts';
import { textToBytes } from '../bytes/bytes.ts';
import type { Origin } from '../chain/origin.ts';
import { decodeHeaderRecord } from '../chain/records.ts';
import { isOriginFault } from '../chain/refusal.ts';
import type { BlocksBelow } from '../chain/view.ts';
import { decodeHeader, type Header } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import type { Batch, Database } from '../db/database.ts';
import type { ForkRecord } from './record.ts';

export type BelowDeps = {
  readonly db: Pick<Database, 'get' | 'write'>;
  /** Null: nothing can be read but what was read before. */
  readonly origin: Pick<Origin, 'hashAt' | 'header' | 'body'> | null;
  /** Of the present base. */
  record(): Pick<ForkRecord, 'base' | 'name' | 'genesisHash'>;
  /** Why there is no origin: the end of a sentence. */
  readonly whyNot: string;
};

/** Hashes of blocks that are kept, each proven by a chain of parent hashes that begins at the base. */
const keptLinks = 16_384;

/** So few unread headers above a block are read instead of its hash, which takes two requests and is only claimed. */
const nearHeaders = 2;

/** As many headers below the base are in a pack. */
export const packedHeaders = 256;

/** Where the database keeps the header of a block below the base. It is not stored with the fork's own. */
const headerKey = (hash: BlockHash): Uint8Array => textToBytes(`below:${hash}`);

/** How the header of a block below the base is stored. */
export const belowPut = (hash: BlockHash, header: Uint8Array): Batch['puts'][number] => [
  'meta',
  headerKey(hash),
  header,
];

/** Headers that were read once, also of earlier starts. */
const createHeaders = ({ db, origin }: BelowDeps) => {
  const loadStored = async (hash: BlockHash): Promise<Header | null> => {
    const stored = await db.get('meta', headerKey(hash));
    return stored === null ? null : decodeHeader(stored);
  };
  const load = async (hash: BlockHash, base: number): Promise<Header | null> => {
    const stored = await loadStored(hash);
    if (stored !== null || origin === null) return stored;
    const bytes = await origin.header(blockHashToBytes(hash));
    const header = bytes === null ? null : decodeHeader(bytes);
    if (bytes === null || header === null || header.number >= base) return null;
    await db.write({ puts: [belowPut(hash, bytes)], deletes: [] });
    return header;
  };
  return { loadStored, load };
};

/**
 * The blocks of the base's own chain below it. Each header names its parent, so what was read without a gap is proven; the
 * hash of any other height is what an endpoint claims.
 */
const createLinks = (
  db: BelowDeps['db'],
  base: BlockHash,
  { loadStored, load }: ReturnType<typeof createHeaders>,
) => {
  const hashes = createBoundedMap<number, BlockHash>(keptLinks);
  let lowest: Header | null = null;
  const add = (header: Header): BlockHash => {
    const parent = bytesToBlockHash(header.parentHash);
    hashes.keep(header.number - 1, parent);
    lowest = header;
    return parent;
  };
  /** Follows the headers that were read, and `unread` more, down to a height. Null: they do not lead there. */
  const hashAt = async (number: number, unread: number): Promise<BlockHash | null> => {
    for (let header = lowest ?? (await baseHeader(db, base)); header !== null && header.number > number; ) {
      const parent = add(header);
      if (header.number - 1 === number) return parent;
      const { number: above } = header;
      header = await (above - 1 - number <= unread ? load(parent, above) : loadStored(parent));
    }
    return hashes.get(number) ?? null;
  };
  return {
    hashAt: (number: number) => hashAt(number, nearHeaders),
    /** Whether this is the highest block of the base's chain whose header was not read. */
    isNext: async (hash: BlockHash): Promise<boolean> => {
      await hashAt(0, 0);
      return lowest !== null && bytesToBlockHash(lowest.parentHash) === hash;
    },
  };
};

const baseHeader = async (db: BelowDeps['db'], base: BlockHash): Promise<Header | null> => {
  const stored = await db.get('headers', blockHashToBytes(base));
  return stored === null ? null : decodeHeaderRecord(stored).header;
};

/** A pack is written without what no endpoint has at the time. */
const nullIfUnread = (error: unknown): null => {
  if (isOriginFault(error)) return null;
  throw error;
};

/** The same for a pack. */
export type PackedBelow = BlocksBelow & {
  /**
   * Headers from the base's parent down to the first one that was not read, `packedHeaders` at most. The parent's is read
   * now, if it can be.
   */
  linked(): Promise<Header[]>;
};

/** The blocks below the base of a fork, from the live chain, and from what was read of it before. */
export const createBelow = (deps: BelowDeps): PackedBelow => {
  const { db, origin, record, whyNot } = deps;
  const headers = createHeaders(deps);
  let begun: { readonly base: BlockHash; readonly links: ReturnType<typeof createLinks> } | null = null;
  /** From the present base. Another one may be of another branch. */
  const links = (): ReturnType<typeof createLinks> => {
    const { hash } = record().base;
    if (begun?.base !== hash) begun = { base: hash, links: createLinks(db, hash, headers) };
    return begun.links;
  };
  const unread = (): NodeError => {
    const { base, name } = record();
    const why = `This block below #${base.number} of ${quoteName(name)} was never read, and ${whyNot}`;
    return new NodeError('NotCached', why);
  };
  return {
    get base() {
      return record().base.number;
    },
    hashAt: async (number) => {
      const linked = await links().hashAt(number);
      if (linked !== null) return linked;
      // Clients ask for it first, and it is known without an endpoint.
      if (number === 0) return record().genesisHash;
      if (origin === null) throw unread();
      const hash = await origin.hashAt(number);
      return hash === null ? null : bytesToBlockHash(hash);
    },
    // Without an endpoint, nothing is known of most hashes, and most hashes are of no block.
    header: async (hash) => {
      const header = await headers.load(hash, record().base.number);
      if (header === null && origin === null && (await links().isNext(hash))) throw unread();
      return header;
    },
    linked: async () => {
      const { base } = record();
      const found: Header[] = [];
      let header = await baseHeader(db, base.hash);
      while (header !== null && header.number > 0 && found.length < packedHeaders) {
        const parent = bytesToBlockHash(header.parentHash);
        const isFirst = found.length === 0;
        header = isFirst
          ? await headers.load(parent, base.number).catch(nullIfUnread)
          : await headers.loadStored(parent);
        if (header !== null) found.push(header);
      }
      return found;
    },
    body: (hash) => {
      if (origin === null) throw unread();
      return origin.body(blockHashToBytes(hash));
    },
  };
};
