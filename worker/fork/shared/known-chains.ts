import { bytesToText, equalBytes, textToBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { isBodyOf } from '../../chain/hashes.ts';
import type { OriginFacts } from '../../chain/origin.ts';
import { readName, readProperties } from '../../chain/origin-facts.ts';
import { type Block, readExtrinsic } from '../../codec/block.ts';
import { decodeHeader, encodeHeader } from '../../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import type { Hash256 } from '../../trie/node-source.ts';
import type { SharedStore } from './shared-store.ts';

/** A block of a live chain, and the chain's genesis hash. */
export type ChainBlock = { readonly block: Block; readonly genesisHash: Uint8Array };

/** What forks have learned of live chains besides their states: claims of endpoints, but for the blocks. */
export type KnownChains = {
  facts(genesisHash: Uint8Array): Promise<OriginFacts | null>;
  addFacts(facts: OriginFacts): void;
  /** The block with this hash, header and extrinsics verified. */
  block(hash: BlockHash): Promise<ChainBlock | null>;
  addBlock(hash: BlockHash, block: ChainBlock): void;
  /** The block that an endpoint named when it was last asked for a number, `best` or `finalized`. */
  chosen(endpoint: string, choice: string): Promise<BlockHash | null>;
  addChosen(endpoint: string, choice: string, hash: BlockHash): void;
};

/** A URL without credentials; the name of a provider as it is. */
const endpointName = (endpoint: string): string => {
  if (!URL.canParse(endpoint)) return endpoint;
  const url = new URL(endpoint);
  url.username = '';
  url.password = '';
  return url.href;
};

const choiceName = (endpoint: string, choice: string): string =>
  `block ${choice} of ${endpointName(endpoint)}`;

/** What a read of damaged bytes returns, as if there were none. */
const orNull = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

export const createKnownChains = (
  shared: Pick<SharedStore, 'record' | 'setRecord'>,
  blake2b256: Hash256,
): KnownChains => {
  const factsName = (genesisHash: Uint8Array): string => `facts ${bytesToHex(genesisHash)}`;
  return {
    facts: async (genesisHash) => {
      const bytes = await shared.record(factsName(genesisHash));
      if (bytes === null) return null;
      return orNull(() => {
        const { name, id, chainType, properties } = JSON.parse(bytesToText(bytes)) as OriginFacts;
        const shown = readName(name);
        if (shown === null) return null;
        const rest = { id: readName(id), chainType: readName(chainType) };
        return { genesisHash, name: shown, ...rest, properties: readProperties(properties) };
      });
    },
    addFacts: ({ genesisHash, ...rest }) =>
      shared.setRecord(factsName(genesisHash), textToBytes(JSON.stringify(rest))),
    block: async (hash) => {
      const bytes = await shared.record(`block ${hash}`);
      if (bytes === null) return null;
      return orNull(() => {
        const reader = new Reader(bytes);
        const genesisHash = reader.take(32).slice();
        const header = decodeHeader(reader.vecBytes().slice());
        const extrinsics = reader.vec(readExtrinsic);
        const isRight =
          equalBytes(blake2b256(encodeHeader(header)), blockHashToBytes(hash)) &&
          isBodyOf(blake2b256, header, extrinsics);
        return isRight ? { genesisHash, block: { header, extrinsics } } : null;
      });
    },
    addBlock: (hash, { genesisHash, block: { header, extrinsics } }) => {
      const writer = new Writer(4096).raw(genesisHash).vecBytes(encodeHeader(header));
      shared.setRecord(
        `block ${hash}`,
        writer.vec(extrinsics, (out, extrinsic) => out.raw(extrinsic)).finish(),
      );
    },
    chosen: async (endpoint, choice) => {
      const bytes = await shared.record(choiceName(endpoint, choice));
      return bytes?.length === 32 ? bytesToBlockHash(bytes) : null;
    },
    addChosen: (endpoint, choice, hash) =>
      shared.setRecord(choiceName(endpoint, choice), blockHashToBytes(hash)),
  };
};
