import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inUse } from '../../bench/memory.ts';
import { openSqliteDatabase } from '../../worker/db/sqlite.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { liveChain, openForkOf } from './fork-rig.ts';

const blocks = 100_000;
/** After so many, a cache of this size is full, and the live chain has been read for the last time. */
const warmUp = 10_000;
const cacheBytes = 2 * 1024 * 1024;
/** What is in use differs by less from one collection to the next. */
const noiseBytes = 24 * 1024 * 1024;

const live = liveChain(300);

it(`a fork of ${blocks} blocks grows neither in memory nor in requests, and goes back to its first one`, {
  timeout: 3_600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-many-blocks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const db = await openSqliteDatabase(join(folder, 'chain.sqlite'));
  const { node, origin, call, errors } = await openForkOf(live().node, { db, changes: { cacheBytes } });
  const { base, best } = node.parts.chain;
  for (let block = 0; block < warmUp; block++) await sealOn(node);
  const before = { bytes: inUse(), requests: origin.stats().requests };
  for (let block = warmUp; block < blocks; block++) await sealOn(node);
  expect(best().number).toBe(base.number + blocks);
  expect(inUse() - before.bytes).toBeLessThan(noiseBytes);
  expect(origin.stats().requests).toBe(before.requests);
  const first = await call('chain_getBlockHash', base.number + 1);
  expect(await call('dev_setHead', base.number + 1)).toBe(first);
  await sealOn(node);
  expect(best().number).toBe(base.number + 2);
  expect(errors).toEqual([]);
  await node.close();
});
