import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as browserType, type Page } from 'playwright';
import { launchOptions } from '../../scripts/chromium.mjs';
import { openTrieStore } from '../../worker/chain/states/trie-store.ts';
import type { Block } from '../../worker/codec/block.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import { type Crypto, loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Database } from '../../worker/db/database.ts';
import { createBackend } from '../../worker/state/backend.ts';
import type { Bench, Line } from '../figure.ts';
import { median, medians, type Spent } from '../measure.ts';
import { inUse } from '../memory.ts';
import type { PageBench } from '../page/page.ts';
import { servePage } from '../serve-page.ts';
import { executeCold, fail, storeLimits as limits } from '../state-chain.ts';
import { type OpenedState, openChain, sealTransfers } from './state.ts';

const accounts = 1_000_000;
const transferCount = 1000;
const rounds = 5;

/** Reads every key and value, in pages, and reports the memory in use. */
const measureWalk = async (crypto: Crypto, { parts, db }: OpenedState & { db: Database }): Promise<Line> => {
  const { blake2b256 } = crypto;
  const store = await openTrieStore(db, { ...limits, blake2b256, onError: fail });
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
  // Used once more, so that neither is collected before it is measured.
  backend.get(new Uint8Array(1));
  return {
    name: 'memory after a walk over 1,000,000 accounts',
    value,
    unit: 'B',
    budget: limits.cacheBytes + 50_000_000,
    note: `heap and buffers; the cache counts ${counted} MB of 67`,
  };
};

type Bound = { readonly bench: PageBench };

/** How long the browser has to open a database of 300 MB. */
const settleMs = 10_000;

/** Records sent to the page at a time: about 2 MB of text. */
const portion = 10_000;

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A browser with this profile, and a tab at this address, for as long as `action` runs. */
const inTab = async <T>(profile: string, url: string, action: (page: Page) => Promise<T>): Promise<T> => {
  const browser = await browserType.launchPersistentContext(profile, await launchOptions());
  try {
    const page = await browser.newPage();
    await page.goto(url, { waitUntil: 'load' });
    return await action(page);
  } finally {
    await browser.close();
  }
};

/** Copies every record of the database to that of the page. */
const copyDatabase = async (db: Database, page: Page): Promise<void> => {
  for (const store of ['meta', 'headers', 'bodies', 'numbers', 'nodes'] as const) {
    const rows = await db.range(store);
    for (let at = 0; at < rows.length; at += portion) {
      const part = rows.slice(at, at + portion).map(([key, value]) => [toText(key), toText(value)] as const);
      await page.evaluate(
        ([name, records]) => (globalThis as unknown as Bound).bench.putRecords(name, records),
        [store, part] as const,
      );
    }
  }
};

/**
 * The same over IndexedDB in Chromium: in a tab that opens the chain again, where a state is cold, with a
 * profile on the disk, as people's tabs have. The database of an ordinary test window stays in memory, and a
 * database to which 300 MB were just written reorganizes itself in the background for minutes.
 */
const measureInPage = async ({ parts: { chain, db } }: OpenedState, block: Block): Promise<Line> => {
  const server = await servePage();
  const profile = await mkdtemp(join(tmpdir(), 'tabnode-cold-'));
  try {
    await inTab(profile, server.url, (page) => copyDatabase(db, page));
    const json = signedBlockToJson({ ...block, justifications: null });
    const { cold, warm } = await inTab(profile, server.url, async (page) => {
      await page.waitForTimeout(settleMs);
      return page.evaluate(([one, times]) => (globalThis as unknown as Bound).bench.coldState(one, times), [
        json,
        rounds,
      ] as const);
    });
    const times = cold.map((ms) => ms.toFixed(0)).join(', ');
    return {
      name: 'Chromium: the same over IndexedDB',
      value: median(cold) / median(warm),
      unit: '×',
      budget: 3,
      note: `1 M accounts, chain of ${chain.best().number} block; ${times} against ${median(warm).toFixed(0)} ms`,
    };
  } finally {
    await server.close();
    await rm(profile, { recursive: true, force: true });
  }
};

export const coldState: Bench = {
  name: 'cold-state',
  about: 'a block of 1,000 transfers over 1,000,000 accounts with nothing in memory, and what a walk leaves',
  run: async () => {
    const crypto = await loadCrypto();
    const opened = await openChain(crypto, accounts);
    const { db } = opened.parts;
    const block = await sealTransfers(crypto, opened.parts, { count: transferCount, step: 997 });
    const { getSync: _none, ...late } = db;
    const colds: Spent[] = [];
    const warms: Spent[] = [];
    for (let round = 0; round < rounds; round++) {
      const [first, ...rest] = await executeCold(crypto, opened, block, late, 3);
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
      await measureInPage(opened, block),
      await measureWalk(crypto, { ...opened, db }),
    ];
  },
};
