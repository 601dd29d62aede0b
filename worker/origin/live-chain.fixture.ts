import { compareBytes, concatBytes, equalBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { Writer } from '../bytes/writer.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import { type Crypto, loadCrypto } from '../crypto/crypto.ts';
import { childKey } from '../state/backend.ts';
import { createNodeMap } from '../trie/node-source.ts';
import { orderedRoot } from '../trie/ordered-root.ts';
import { createTrie, emptyRoot, type Trie } from '../trie/trie.ts';

/** An error as a JSON-RPC server of the SDK returns it. */
export class Refused extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const childName = textToBytes('votes');
export const mapPrefix = textToBytes('map/');
export const mapKey = (index: number): Uint8Array => {
  const bytes = new Writer(4).u32(Math.imul(index, 0x9e3779b1) >>> 0).finish();
  return concatBytes(mapPrefix, bytes);
};
export const childMapKey = (index: number): Uint8Array => new Writer(4).u32(index * 77).finish();
const bytesFor = (block: number, index: number, length: number): Uint8Array =>
  new Uint8Array(length).map((_, at) => (block * 31 + index * 7 + at) & 0xff);

type Block = {
  readonly hash: string;
  readonly header: Header;
  readonly extrinsics: readonly Uint8Array[];
  readonly state: Trie;
  readonly child: Trie;
  readonly changed: readonly Uint8Array[];
};

const extrinsicOf = (block: number, index: number, length: number): Uint8Array =>
  new Writer(8).vecBytes(bytesFor(block, index, length)).finish();

type Tries = { readonly state: Trie; readonly child: Trie };

const firstTries = (crypto: Crypto, accounts: number): Tries => {
  const deps = { blake2b256: crypto.blake2b256, source: createNodeMap() };
  const root = emptyRoot(crypto.blake2b256);
  const child = createTrie(deps, root).apply(
    Array.from({ length: 40 }, (_, at) => [childMapKey(at), bytesFor(0, at, at % 5 === 0 ? 80 : 8)] as const),
    1,
  );
  const state = createTrie(deps, root).apply(
    [
      ...Array.from({ length: accounts }, (_, at) => [mapKey(at), bytesFor(0, at, 20 + (at % 40))] as const),
      [textToBytes(':heappages'), bytesFor(0, 0, 8)],
      [childKey(childName), child.root()],
    ],
    1,
  );
  return { state, child };
};

/** A block changes the number and one entry of the map in the first eighth, so that the rest keeps its nodes. */
const nextTries = ({ state, child }: Tries, number: number, changed: readonly Uint8Array[]): Tries => ({
  state: state.apply(
    changed.map((key) => [key, bytesFor(number, 0, 24)] as const),
    1,
  ),
  child,
});

const makeBlock = (
  crypto: Crypto,
  parent: Block | null,
  tries: Tries,
  changed: readonly Uint8Array[],
): Block => {
  const number = parent === null ? 0 : parent.header.number + 1;
  const extrinsics =
    number === 0 ? [] : [0, 1, 2].map((at) => extrinsicOf(number, at, at === 0 ? 10 : 60 * at));
  const header: Header = {
    parentHash: parent === null ? new Uint8Array(32) : hexToBytes(parent.hash),
    number,
    stateRoot: tries.state.root(),
    extrinsicsRoot: orderedRoot(crypto.blake2b256, extrinsics, number % 2 === 0 ? 1 : 0),
    digest:
      number === 0
        ? []
        : [
            new Writer(16)
              .u8(6)
              .raw(textToBytes('aura'))
              .vecBytes(bytesFor(number, 1, 8))
              .finish(),
          ],
  };
  return { ...tries, hash: bytesToHex(crypto.blake2b256(encodeHeader(header))), header, extrinsics, changed };
};

const headerJson = ({ header }: Block) => ({
  parentHash: bytesToHex(header.parentHash),
  number: `0x${header.number.toString(16)}`,
  stateRoot: bytesToHex(header.stateRoot),
  extrinsicsRoot: bytesToHex(header.extrinsicsRoot),
  digest: { logs: header.digest.map(bytesToHex) },
});

export type LiveOptions = {
  readonly accounts?: number;
  readonly blocks?: number;
  /** States that are kept below the best block; default: all. */
  readonly keptStates?: number;
  /** Distinguishes chains. */
  readonly salt?: number;
};

type Method = (...params: never[]) => unknown;

/** What the node of a chain returns, by method. */
const createMethods = (blocks: readonly Block[], keptStates: () => number): Record<string, Method> => {
  const best = (): Block => blocks.at(-1) as Block;
  const at = (hash: string | null | undefined): Block | null =>
    hash == null ? best() : (blocks.find((one) => one.hash === hash) ?? null);
  const stateAt = (hash: string | null | undefined): Block => {
    const block = at(hash);
    if (block === null)
      throw new Refused(4003, `Client error: UnknownBlock: Header was not found in the database: ${hash}`);
    if (block.header.number + keptStates() < best().header.number)
      throw new Refused(4003, `Client error: UnknownBlock: State already discarded for ${hash}`);
    return block;
  };
  const methods: Record<string, Method> = {
    rpc_methods: () => ({ methods: Object.keys(methods) }),
    system_chain: () => 'Live',
    system_chainType: () => 'Live',
    system_properties: () => ({ tokenSymbol: 'UNIT', tokenDecimals: 12 }),
    chain_getBlockHash: (number?: number) =>
      number === undefined ? best().hash : (blocks[number]?.hash ?? null),
    chain_getFinalizedHead: () => (blocks.at(-3) as Block).hash,
    chain_getHeader: (hash?: string) => {
      const block = at(hash);
      return block === null ? null : headerJson(block);
    },
    chain_getBlock: (hash?: string) => {
      const block = at(hash);
      if (block === null) return null;
      return {
        block: { header: headerJson(block), extrinsics: block.extrinsics.map(bytesToHex) },
        justifications: null,
      };
    },
    state_getReadProof: (keys: readonly string[], hash?: string) => {
      const block = stateAt(hash);
      return { at: block.hash, proof: block.state.prove(keys.map(hexToBytes)).map(bytesToHex) };
    },
    state_getChildReadProof: (name: string, keys: readonly string[], hash?: string) => {
      const block = stateAt(hash);
      const key = hexToBytes(name);
      const own = equalBytes(key, childKey(childName)) ? block.child.prove(keys.map(hexToBytes)) : [];
      return { at: block.hash, proof: [...block.state.prove([key]), ...own].map(bytesToHex) };
    },
    state_getKeysPaged: (prefix: string, size: number, start: string | null, hash?: string) => {
      const { state } = stateAt(hash);
      const keys: string[] = [];
      const from = start === null ? null : hexToBytes(start);
      const options = { prefix: hexToBytes(prefix), start: from, inclusive: false };
      state.visitKeys(options, (key) => {
        if (!startsWithBytes(key, options.prefix) || keys.length === size) return false;
        keys.push(bytesToHex(key));
        return true;
      });
      return keys;
    },
  };
  return methods;
};

/** A chain of a few blocks over a real trie, and what its node returns to JSON-RPC calls. */
export const createLiveChain = async (options: LiveOptions = {}) => {
  const { accounts = 300, blocks: count = 12, salt = 0 } = options;
  const crypto = await loadCrypto();
  const blocks: Block[] = [];
  let keptStates = options.keptStates ?? Number.POSITIVE_INFINITY;
  const salted = textToBytes(`salt ${salt}`);
  const first = firstTries(crypto, accounts);
  blocks.push(makeBlock(crypto, null, { ...first, state: first.state.apply([[salted, salted]], 1) }, []));
  const grow = (): Block => {
    const last = blocks.at(-1) as Block;
    const number = last.header.number + 1;
    const changed = [textToBytes('number'), mapKey(0)].sort(compareBytes);
    const block = makeBlock(crypto, last, nextTries(last, number, changed), changed);
    blocks.push(block);
    return block;
  };
  while (blocks.length <= count) grow();
  const methods = createMethods(blocks, () => keptStates);
  const block = (number: number): Block => blocks[number] as Block;
  return {
    crypto,
    methods,
    blocks,
    block,
    hashOf: (number: number): Uint8Array => hexToBytes(block(number).hash),
    /** The SCALE bytes of a header. */
    encoded: (number: number): Uint8Array => encodeHeader(block(number).header),
    grow,
    keep: (states: number): void => {
      keptStates = states;
    },
    handle: (method: string, params: readonly unknown[]): unknown => {
      const run = methods[method];
      if (run === undefined) throw new Refused(-32601, 'Method not found');
      return run(...(params as never[]));
    },
  };
};

export type LiveChain = Awaited<ReturnType<typeof createLiveChain>>;
