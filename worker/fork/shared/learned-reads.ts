import { bytesToKey, equalBytes, keyToBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { codeKey } from '../../chain/genesis/genesis.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { numberedKey, numberOf, prefixLength } from '../../crypto/storage-keys.ts';
import type { MissingNode } from '../../trie/missing-nodes.ts';
import type { SharedStore } from './shared-store.ts';

/**
 * What a fork reads: from its opening to its first block, and later, for its transactions and other calls. Both are kept by the
 * hash of the runtime's code, so that the next fork of a chain with this runtime requests each of them at once.
 */
export type LearnedReads = {
  /** The keys that forks with this code read, for a base of this number. Empty: there was none. */
  load(codeHash: Uint8Array, baseNumber: number): Promise<readonly Uint8Array[]>;
  /** The hash of the code that the last fork of the chain began with. */
  lastCode(): Promise<Uint8Array | null>;
  /** Notes what is requested. */
  note(missing: readonly MissingNode[]): void;
  /** Saves what was noted until the first block. Resolves to what earlier forks read after theirs. */
  saveOpening(codeHash: Uint8Array, baseNumber: number): Promise<readonly Uint8Array[]>;
  /** Saves what was noted since then. */
  saveLater(codeHash: Uint8Array, baseNumber: number): Promise<void>;
};

type Phase = 'opening' | 'later';

type Deps = {
  readonly shared: Pick<SharedStore, 'record' | 'setRecord'>;
  readonly crypto: Pick<Crypto, 'twox64'>;
  readonly genesisHash: string;
};

/** As many as one request has. */
const mostKeys = 1000;
const longestKey = 128;
/** Of what is read later: the newest keys, because somebody may have looked at the whole state. */
const mostLater = 256;

/** How far the number in a key of a block number may be from that of the base. */
const nearest = 8192;

/** The number in a key like that of `System.BlockHash`, relative to the base; null: it is another key. */
const distanceOf = (crypto: Deps['crypto'], key: Uint8Array, baseNumber: number): number | null => {
  const number = numberOf(crypto, key);
  return number !== null && Math.abs(number - baseNumber) <= nearest ? number - baseNumber : null;
};

/** The code is large, and requested by itself. */
const isLearned = (key: Uint8Array): boolean => key.length <= longestKey && !equalBytes(key, codeKey);

const plain = 0;
const numbered = 1;

/** Each key as it is, or as the prefix of an item and the distance of a block number from the base. */
const encodeReads = (crypto: Deps['crypto'], keys: readonly Uint8Array[], baseNumber: number): Uint8Array =>
  new Writer(keys.length * 40)
    .vec(keys, (out, key) => {
      const distance = distanceOf(crypto, key, baseNumber);
      if (distance === null) out.u8(plain).vecBytes(key);
      else
        out
          .u8(numbered)
          .vecBytes(key.subarray(0, prefixLength))
          .u32(distance + nearest);
    })
    .finish();

const decodeReads = (crypto: Deps['crypto'], bytes: Uint8Array, baseNumber: number): Uint8Array[] => {
  try {
    return new Reader(bytes).vec((item) => {
      const isNumbered = item.u8() === numbered;
      const key = item.vecBytes().slice();
      return isNumbered ? numberedKey(crypto, key, item.u32() - nearest + baseNumber) : key;
    });
  } catch {
    return [];
  }
};

export const createLearnedReads = ({ shared, crypto, genesisHash }: Deps): LearnedReads => {
  const noted = { opening: new Set<string>(), later: new Set<string>() };
  let phase: Phase = 'opening';
  const codeName = `code ${genesisHash}`;
  const readsName = (codeHash: Uint8Array, of: Phase): string => `reads ${bytesToHex(codeHash)} ${of}`;
  const load = async (codeHash: Uint8Array, baseNumber: number, of: Phase): Promise<Uint8Array[]> => {
    const bytes = await shared.record(readsName(codeHash, of));
    return bytes === null ? [] : decodeReads(crypto, bytes, baseNumber);
  };
  /** Adds to what earlier forks have saved, the new keys first. */
  const save = async (codeHash: Uint8Array, baseNumber: number, of: Phase, most: number) => {
    const before = await load(codeHash, baseNumber, of);
    const old = new Set(before.map(bytesToKey));
    const keys = [...[...noted[of]].filter((key) => !old.has(key)), ...old];
    noted[of].clear();
    const kept = keys.slice(0, most).map(keyToBytes);
    shared.setRecord(readsName(codeHash, of), encodeReads(crypto, kept, baseNumber));
  };
  return {
    load: (codeHash, baseNumber) => load(codeHash, baseNumber, 'opening'),
    lastCode: async () => {
      const hash = await shared.record(codeName);
      return hash?.length === 32 ? hash : null;
    },
    note: (missing) => {
      for (const { key, child } of missing)
        if (key !== null && child == null && isLearned(key) && noted[phase].size < mostKeys)
          noted[phase].add(bytesToKey(key));
    },
    saveOpening: async (codeHash, baseNumber) => {
      phase = 'later';
      await save(codeHash, baseNumber, 'opening', mostKeys);
      shared.setRecord(codeName, codeHash);
      return load(codeHash, baseNumber, 'later');
    },
    saveLater: async (codeHash, baseNumber) => {
      if (noted.later.size > 0) await save(codeHash, baseNumber, 'later', mostLater);
    },
  };
};
