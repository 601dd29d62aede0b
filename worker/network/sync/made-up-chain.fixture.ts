import { hashHeader } from '../../chain/hashes.ts';
import { type BlockRef, createBlockTree } from '../../chain/tree.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import type { SignedBlock } from '../../codec/signed-block.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import type { ServedChain } from './server.ts';
import type { SyncDeps } from './sync.ts';

export const crypto = await loadCrypto();

/** A block of no runtime; blocks with the same parent differ by their salt. Salt 255: it is refused; 254: its time has not come. */
export const makeBlock = (parent: BlockRef, salt: number): BlockRef & { readonly block: SignedBlock } => {
  const header = {
    parentHash: blockHashToBytes(parent.hash),
    number: parent.number + 1,
    stateRoot: new Uint8Array(32).fill(salt),
    extrinsicsRoot: new Uint8Array(32),
    digest: [],
  };
  const block = { header, extrinsics: [Uint8Array.of(4, 1)], justifications: null };
  return { hash: hashHeader(crypto, header), number: header.number, block };
};

export const bad = 255;
export const untimely = 254;

const genesis: BlockRef = { hash: bytesToBlockHash(new Uint8Array(32)), number: 0 };

/** A chain that takes any block but the bad ones, whose best block is the highest, the first of several. */
export const createMadeUpChain = () => {
  const root = { ...genesis, parent: genesis.hash, weight: 0, isOwn: false };
  const tree = createBlockTree(root);
  const blocks = new Map<BlockHash, SignedBlock>();
  const imported: BlockRef[] = [];
  const canonical: BlockHash[] = [genesis.hash];
  const clock = { hasCome: false };
  const add = ({ header, ...rest }: SignedBlock): boolean => {
    const [hash, parent] = [hashHeader(crypto, header), bytesToBlockHash(header.parentHash)];
    if (tree.get(parent) === null || header.stateRoot[0] === bad) return false;
    if (tree.get(hash) !== null) return true;
    const ref = { hash, number: header.number };
    tree.insert({ ...ref, parent, weight: 0, isOwn: false });
    blocks.set(hash, { header, ...rest });
    imported.push(ref);
    if (header.number > tree.best().number) {
      tree.setBest(hash);
      for (let at = tree.best(); canonical[at.number] !== at.hash; at = tree.get(at.parent) ?? at)
        canonical[at.number] = at.hash;
    }
    return true;
  };
  const chain: ServedChain & SyncDeps['chain'] = {
    base: genesis,
    best: tree.best,
    finalized: tree.finalized,
    view: { tree } as unknown as SyncDeps['chain']['view'],
    loadHeader: async (hash) => blocks.get(hash)?.header ?? null,
    loadHashAt: async (number) => canonical[number] ?? null,
    loadHashesAt: async (from, to) => canonical.slice(from, to + 1),
    loadBlocks: async (hashes) => hashes.map((hash) => blocks.get(hash) ?? null),
    import: async (block) => {
      const { number, parentHash } = block.header;
      const hash = hashHeader(crypto, block.header);
      if (tree.get(bytesToBlockHash(parentHash)) === null)
        return { ok: false, code: 'UnknownParent', message: '' };
      if (!clock.hasCome && block.header.stateRoot[0] === untimely)
        return { ok: false, code: 'FutureBlock', message: 'It is too early' };
      if (!add({ ...block, justifications: null })) return { ok: false, code: 'BadBlock', message: '' };
      return { ok: true, hash, number, isBest: tree.best().hash === hash };
    },
  };
  /** Adds blocks on top of one. Returns the last. */
  const grow = (from: BlockRef, count: number, salt: number): BlockRef => {
    let tip = from;
    for (let index = 0; index < count; index++) {
      const next = makeBlock(tip, salt);
      add(next.block);
      tip = next;
    }
    return tip;
  };
  const headerOf = (hash: BlockHash) => (blocks.get(hash) as SignedBlock).header;
  return { chain, clock, tree, imported, grow, add, headerOf, canonical: () => canonical };
};

export type MadeUpChain = ReturnType<typeof createMadeUpChain>;
