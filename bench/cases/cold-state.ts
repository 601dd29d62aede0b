import { hexToBytes } from '../../worker/bytes/hex.ts';
import { openNodeStore } from '../../worker/chain/node-store.ts';
import type { Block } from '../../worker/codec/block.ts';
import { type Crypto, loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Database } from '../../worker/db/database.ts';
import type { Node } from '../../worker/node.ts';
import { createBackend } from '../../worker/state/backend.ts';
import type { Bench, Line } from '../figure.ts';
import { medians, type Spent, timed } from '../measure.ts';
import { inUse } from '../memory.ts';
import { signTransfers } from '../signer.ts';
import { accountId, createExecution, type OpenedState, openChain } from './state.ts';

const accounts = 1_000_000;
const transferCount = 1000;
const rounds = 5;
const limits = { cacheBytes: 64 * 1024 * 1024, journalBytes: 16 * 1024 * 1024 };

const fail = (error: unknown): never => {
  throw error;
};

/** One block of transfers to accounts all over the state. */
const sealTransfers = async (crypto: Crypto, { parts }: OpenedState): Promise<Block> => {
  const { pool, author, chain } = parts;
  const recipients = Array.from({ length: transferCount }, (_, index) => accountId(crypto, index * 997 + 1));
  for (const text of await signTransfers({ parts } as Node, transferCount, { recipients, senders: 1 })) {
    const result = await pool.submit(hexToBytes(text), 2);
    if (!result.ok) throw new Error(`submit: ${JSON.stringify(result)}`);
  }
  const sealed = await author.seal({ createEmpty: true, finalize: false });
  if (!sealed.ok || sealed.included !== transferCount)
    throw new Error(`the block holds not all: ${JSON.stringify(sealed)}`);
  const block = await chain.loadBlock(sealed.hash);
  if (block === null) throw new Error('the block is not there');
  return block;
};

/** Executes the block over a node store of its own, `times` times in a row; of each. */
const execute = async (crypto: Crypto, opened: OpenedState, block: Block, db: Database, times: number) => {
  const store = await openNodeStore(db, { ...limits, blake2b256: crypto.blake2b256, onError: fail });
  const run = await createExecution(crypto, opened, block, store);
  const spent: Spent[] = [];
  for (let time = 0; time < times; time++) spent.push(await timed(run));
  return spent;
};

/** Reads every key and value, in pages, and tells what is kept of it. */
const measureWalk = async (crypto: Crypto, { parts, db }: OpenedState & { db: Database }): Promise<Line> => {
  const { blake2b256 } = crypto;
  const store = await openNodeStore(db, { ...limits, blake2b256, onError: fail });
  const header = await parts.chain.loadHeader(parts.chain.genesisHash);
  if (header === null) throw new Error('no genesis');
  const backend = createBackend({ blake2b256, source: store }, header.stateRoot);
  const before = inUse();
  let count = 0;
  for (let start: Uint8Array | null = null; ; ) {
    const page: Uint8Array[] = backend.keysPaged(new Uint8Array(0), 1000, start);
    for (const key of page) if (backend.get(key) !== null) count++;
    if (page.length < 1000) break;
    start = page.at(-1) ?? null;
  }
  if (count < accounts) throw new Error(`only ${count} keys`);
  const value = inUse() - before;
  const counted = Math.round(store.cache.bytes() / 1e6);
  // Read once more, so that neither is collected before it is measured.
  backend.get(new Uint8Array(1));
  return {
    name: 'memory after a walk over 1,000,000 accounts',
    value,
    unit: 'B',
    budget: limits.cacheBytes + 50_000_000,
    note: `heap and buffers; the cache counts ${counted} MB of 67`,
  };
};

export const coldState: Bench = {
  name: 'cold-state',
  about: 'a block of 1,000 transfers over 1,000,000 accounts with nothing in memory, and what a walk leaves',
  run: async () => {
    const crypto = await loadCrypto();
    const opened = await openChain(crypto, accounts);
    const { db } = opened.parts;
    const block = await sealTransfers(crypto, opened);
    const { getSync: _none, ...late } = db;
    const colds: Spent[] = [];
    const warms: Spent[] = [];
    for (let round = 0; round < rounds; round++) {
      const [first, ...rest] = await execute(crypto, opened, block, late, 3);
      if (first !== undefined) colds.push(first);
      warms.push(...rest);
    }
    const [cold, warm] = [medians(colds), medians(warms)];
    return [
      {
        name: 'import of 1,000 transfers, cold against warm',
        value: cold.ms / warm.ms,
        cpu: cold.cpuMs / warm.cpuMs,
        unit: '×',
        budget: 3,
        note: `1 M accounts, a database that answers late; ${cold.ms.toFixed(0)} against ${warm.ms.toFixed(0)} ms`,
      },
      await measureWalk(crypto, { ...opened, db }),
    ];
  },
};
