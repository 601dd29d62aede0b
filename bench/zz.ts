// Imports the blocks of a binary file into a new chain in memory, in this thread, and prints how long that took.
//   node bench/import-in-process.ts BUILT/main-node.js FILE
import { createReadStream } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { readBlockFile } from '../bridge/files/block-file.ts';
import type { NodeControl } from '../src/protocol/node.ts';

const [built = '', file = ''] = process.argv.slice(2);
const blocks: Uint8Array[] = [];
for await (const { content } of readBlockFile(createReadStream(file), true)) {
  const found = content();
  if (found.kind === 'block' && found.number > 0) blocks.push(found.bytes);
}
const { control } = (await import(pathToFileURL(built).href)) as { readonly control: NodeControl };
const started = await control.start({
  chain: 'development',
  storage: { kind: 'memory' },
  seal: { kind: 'manual' },
  finality: { kind: 'delayed', ms: 1500 },
  dialect: 'psp-6',
  keys: [],
});
if (!started.ok) throw new Error(started.error.message);
const from = performance.now(); const c0 = process.threadCpuUsage();
for (const bytes of blocks) {
  const outcome = await control.importBlocks([bytes], 0);
  const refusal = outcome.ok ? outcome.value.refusal : outcome.error;
  if (refusal !== null) throw new Error(refusal.message);
}
process.stdout.write(`${JSON.stringify({ imported: blocks.length, ms: performance.now() - from })}\n`);
const c1 = process.threadCpuUsage(c0); console.log("thread", (c1.user+c1.system)/1000, "process", JSON.stringify(process.cpuUsage()));await control.stop();
