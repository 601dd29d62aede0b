import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startProcess, startServe } from '../../bridge/clients/test-process.fixture.ts';
import type { ChainSource } from '../../src/protocol/node.ts';

import type { BlockHash } from '../../worker/codec/identity.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import { openSqliteDatabase } from '../../worker/db/sqlite.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { checkWhole } from '../chain/whole-chain.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { createRandom } from '../rigs/random.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-random-kills-'));
afterAll(() => rmSync(folder, { recursive: true }));

const random = createRandom(20261121);
const pick = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
const fileOf = (base: string): string => join(base, 'chains', 'development', 'tabnode.sqlite');

/** Opens in this process the chain that a killed one left behind. */
const reopen = async (base: string, chain: ChainSource = 'development'): Promise<Node> => {
  const db = await openSqliteDatabase(fileOf(base));
  return createNode(createTestPlatform({ db }), testConfig(chain));
};

const seal = async (node: Node) => {
  const result = await node.parts.author.seal({ createEmpty: true, finalize: false });
  if (!result.ok) throw new Error(result.message);
  return result;
};

/** Busy-waits, so that the kill is not rounded to timer granularity. */
const spin = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

/** A socket that counts responses. Responses to requests sent one after another arrive in order. */
const openCaller = async (address: string) => {
  const socket = new WebSocket(address);
  let answers = 0;
  socket.on('message', () => {
    answers++;
  });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  const send = (): void =>
    socket.send('{"jsonrpc":"2.0","id":1,"method":"engine_createBlock","params":[true,false]}');
  return {
    send,
    call: async (): Promise<void> => {
      const answered = once(socket, 'message');
      send();
      await answered;
    },
    answers: () => answers,
  };
};

describe('SIGKILL at random moments leaves the old block or the new one', () => {
  it('in a node that seals', async () => {
    const base = join(folder, 'sealing');
    let best = 0;
    let unfinished = 0;
    const rounds = 12;
    for (let round = 0; round < rounds; round++) {
      const served = await startServe('--base-path', base, '--seal', 'manual');
      expect(served.ready.bestNumber).toBe(best);
      const caller = await openCaller(served.ready.ws);
      const whole = pick(1, 3);
      for (let k = 0; k < whole; k++) await caller.call();
      const from = performance.now();
      await caller.call();
      const usualMs = performance.now() - from;
      caller.send();
      spin(random() * usualMs * (round % 2 === 0 ? 0.7 : 3));
      served.kill('SIGKILL');
      expect((await served.ended).code).toBeNull();
      const node = await reopen(base);
      const { number } = node.parts.chain.best();
      const sure = best + caller.answers();
      expect([sure, best + whole + 2]).toContain(number);
      if (number === best + whole + 1) unfinished++;
      await checkWhole(node);
      best = (await seal(node)).number;
      expect(best).toBe(number + 1);
      await node.close();
    }
    // Kills must hit neither always before nor always after the write, or the test would prove nothing.
    expect(unfinished).toBeGreaterThan(0);
    expect(unfinished).toBeLessThan(rounds);
  }, 240_000);

  it('in a node that starts', async () => {
    const from = performance.now();
    const first = await startServe('--base-path', join(folder, 'start'), '--seal', 'manual');
    const startMs = performance.now() - from;
    first.kill('SIGKILL');
    await first.ended;
    for (let round = 0; round < 3; round++) {
      const base = join(folder, `start-${round}`);
      const served = startProcess('serve', '--json', '--ws-port=0', '--rpc-port=0', '--base-path', base);
      await new Promise((resolve) => setTimeout(resolve, startMs * (0.5 + random() * 0.5)));
      served.kill('SIGKILL');
      await served.ended;
      if (!existsSync(fileOf(base))) continue;
      const node = await reopen(base);
      await checkWhole(node);
      await seal(node);
      await node.close();
    }
  }, 240_000);
});

/** Hash and `chain_getBlock` line of each block of a chain sealed here. */
const makeLines = async (count: number) => {
  // The importing process uses the wall clock.
  const platform = createTestPlatform({ now: () => Date.now() });
  const node = await createNode(platform, testConfig('development'));
  const blocks: { readonly hash: BlockHash; readonly line: string }[] = [];
  for (let made = 0; made < count; made++) {
    const { hash } = await seal(node);
    const block = await node.parts.chain.loadBlock(hash as BlockHash);
    if (block === null) throw new Error('no block');
    blocks.push({ hash: hash as BlockHash, line: `${JSON.stringify(signedBlockToJson(block))}\n` });
  }
  await node.close();
  return blocks;
};

/** Size of the database's log in bytes; 0 when there is none. It grows with each block. */
const logSize = (base: string): number =>
  statSync(`${fileOf(base)}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** What a log that holds block 0, by far the largest, has at least. */
const GENESIS_LOG_BYTES = 100_000;

/** Busy-waits until the log has this size, or has held all that was sent for a second. */
const spinUntilLog = (base: string, size: number): void => {
  let last = 0;
  let since = performance.now();
  while (last < size && (last < GENESIS_LOG_BYTES || performance.now() - since < 1000)) {
    const now = logSize(base);
    if (now !== last) since = performance.now();
    last = now;
  }
};

describe.skipIf(process.platform === 'win32')('SIGKILL during an import (from a named pipe)', () => {
  it('leaves a chain on which the next import continues', async () => {
    const blocks = await makeLines(40);
    const textOf = (count: number): string =>
      blocks
        .slice(0, count)
        .map(({ line }) => line)
        .join('');
    let pipes = 0;
    const open = async () => {
      const base = join(folder, `import-${++pipes}`);
      const pipe = `${base}.pipe`;
      execFileSync('mkfifo', [pipe]);
      const importing = startProcess('import-blocks', '--json', '--base-path', base, pipe);
      const lines = createWriteStream(pipe);
      lines.on('error', () => undefined);
      await once(lines, 'open');
      return { base, importing, lines };
    };
    /** How large the log becomes by these blocks. The log itself is gone when the import has ended. */
    const fullLogSize = async (count: number): Promise<number> => {
      const { base, importing, lines } = await open();
      let isRunning = true;
      const ended = importing.ended.finally(() => {
        isRunning = false;
      });
      lines.end(textOf(count));
      let largest = 0;
      while (isRunning) {
        largest = Math.max(largest, logSize(base));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect((await ended).code).toBe(0);
      return largest;
    };
    const [first, all] = [await fullLogSize(1), await fullLogSize(blocks.length)];
    const perBlock = (all - first) / (blocks.length - 1);
    expect(first).toBeGreaterThan(GENESIS_LOG_BYTES);
    expect(perBlock).toBeGreaterThan(0);
    let cut = 0;
    for (let round = 0; round < 12; round++) {
      const { base, importing, lines } = await open();
      const sent = pick(2, blocks.length);
      await new Promise((resolve) => lines.write(textOf(sent), resolve));
      // Progress is read from the log: a time would hit nothing but the start on a busy machine.
      // The end of an import writes as well, so blocks alone make the log grow to about 0.6 of that.
      const progress = first + 0.6 * perBlock * random() * (sent - 2);
      spinUntilLog(base, progress);
      spin(random() * 3);
      importing.kill('SIGKILL');
      await importing.ended;
      lines.destroy();
      const node = await reopen(base);
      const { number, hash } = node.parts.chain.best();
      expect(number).toBeLessThanOrEqual(sent);
      if (number > 0) expect(hash).toBe(blocks[number - 1]?.hash);
      if (number > 0 && number < sent) cut++;
      await checkWhole(node);
      await seal(node);
      await node.close();
    }
    expect(cut).toBeGreaterThan(0);
  }, 240_000);
});
