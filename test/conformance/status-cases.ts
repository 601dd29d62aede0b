import { expect } from 'vitest';
import type { Connection } from '../../src/connection.ts';
import { type Case, watch } from './case.ts';
import { until } from './special-cases.ts';
import { createSigner, nextNonce, sealBlock, signTransfer } from './world.ts';

/**
 * Seals until a block includes the extrinsic, because a block that rotates the session includes no
 * transactions.
 */
const sealIncluding = async (
  connection: Connection,
  extrinsic: string,
  finalize = false,
): Promise<string> => {
  for (;;) {
    const hash = await sealBlock(connection, { finalize });
    const { block } = (await connection.request('chain_getBlock', [hash])) as {
      block: { extrinsics: string[] };
    };
    if (block.extrinsics.includes(extrinsic)) return hash;
  }
};

const inBlockAt = (hash: unknown): object => ({ inBlock: hash });

/** The statuses of PSP-6 §3.1. */
export const statuses: Readonly<Record<string, Case>> = {
  future: async (world) => {
    const connection = await world.connect('open');
    const watched = await watch(connection, await signTransfer(connection, { from: '//Eve', nonce: 900 }));
    expect(await watched.next()).toBe('future');
  },
  ready: async (world) => {
    const connection = await world.connect('open');
    const watched = await watch(connection, await signTransfer(connection));
    expect(await watched.next()).toBe('ready');
    await sealBlock(connection);
  },
  // The peers that it was broadcast to. Without peers, no transaction is broadcast.
  broadcast: async (world) => {
    const connection = await world.connect('open');
    expect(await connection.request('system_peers', [])).toEqual([]);
    const extrinsic = await signTransfer(connection);
    const watched = await watch(connection, extrinsic);
    expect(await watched.next()).toBe('ready');
    const hash = await sealIncluding(connection, extrinsic);
    expect(await watched.next()).toEqual(inBlockAt(hash));
  },
  inBlock: async (world) => {
    const connection = await world.connect('open');
    const extrinsic = await signTransfer(connection);
    const watched = await watch(connection, extrinsic);
    const hash = await sealIncluding(connection, extrinsic);
    await until(watched, inBlockAt(hash));
  },
  retracted: async (world) => {
    const connection = await world.connect('open');
    await sealBlock(connection, { finalize: true });
    const extrinsic = await signTransfer(connection);
    const watched = await watch(connection, extrinsic);
    const lost = await sealIncluding(connection, extrinsic);
    await until(watched, inBlockAt(lost));
    const { parentHash } = (await connection.request('chain_getHeader', [lost])) as { parentHash: string };
    // The longer branch only wins if it has as many primary slots, which the test cannot control.
    let tip = parentHash;
    do tip = await sealBlock(connection, { parent: tip });
    while ((await connection.request('chain_getBlockHash', [])) !== tip);
    await until(watched, { retracted: lost });
  },
  finalityTimeout: async (world) => {
    const connection = await world.connect('open');
    const extrinsic = await signTransfer(connection);
    const watched = await watch(connection, extrinsic);
    const hash = await sealIncluding(connection, extrinsic);
    let isOver = false;
    const over = until(watched, { finalityTimeout: hash }).then(() => {
      isOver = true;
    });
    // The limit of 512 counts blocks with watched transactions; blocks that rotate the session have none.
    const sign = await createSigner(connection);
    const first = await nextNonce(connection);
    for (let block = 0; block < 560 && !isOver; block++) {
      await watch(connection, sign({ nonce: first + block }));
      await sealBlock(connection);
    }
    await over;
    await sealBlock(connection, { finalize: true });
  },
  finalized: async (world) => {
    const connection = await world.connect('open');
    const extrinsic = await signTransfer(connection);
    const watched = await watch(connection, extrinsic);
    const hash = await sealIncluding(connection, extrinsic, true);
    await until(watched, { finalized: hash });
    expect(await connection.unsubscribe('author_unwatchExtrinsic', watched.id)).toBe(false);
  },
  usurped: async (world) => {
    const connection = await world.connect('open');
    const first = await signTransfer(connection, { from: '//Bob' });
    const watched = await watch(connection, first);
    const second = await signTransfer(connection, { from: '//Bob', nonce: 0, tip: 1_000_000_000n });
    const usurper = await connection.request('author_submitExtrinsic', [second]);
    await until(watched, { usurped: usurper });
    await connection.request('author_removeExtrinsic', [[usurper]]);
  },
  dropped: async (world) => {
    const connection = await world.connect('narrow');
    const watched = await watch(connection, await signTransfer(connection));
    const better = await signTransfer(connection, { from: '//Bob', tip: 1_000_000_000n });
    await connection.request('author_submitExtrinsic', [better]);
    await until(watched, 'dropped');
    await sealBlock(connection);
  },
  invalid: async (world) => {
    const connection = await world.connect('open');
    const extrinsic = await signTransfer(connection, { from: '//Charlie' });
    const watched = await watch(connection, extrinsic);
    const pending = (await connection.request('author_pendingExtrinsics', [])) as string[];
    expect(pending).toContain(extrinsic);
    await connection.request('author_removeExtrinsic', [[{ extrinsic }]]);
    await until(watched, 'invalid');
  },
};
