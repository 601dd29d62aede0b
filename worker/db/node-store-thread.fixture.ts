import { parentPort } from 'node:worker_threads';
import { openSqliteNodeStore } from './node-store-sqlite.ts';

// Uses a store of nodes as another process would: opens the file of each message, writes, and closes it. Posts what went wrong.

const value = new Uint8Array(1000).fill(1);

parentPort?.on('message', async ({ path, byte }: { path: string; byte: number }) => {
  try {
    const engine = openSqliteNodeStore(path);
    const key = new Uint8Array(32).fill(byte);
    await engine.write({ puts: [{ key, value, replaces: false }], used: [], usedAt: 1 });
    await engine.close();
    parentPort?.postMessage(null);
  } catch (error) {
    parentPort?.postMessage(String(error));
  }
});
