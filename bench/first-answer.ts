import type { NodeOptions } from '../src/start.ts';
import { startInThread } from './thread.ts';

// Run in a process of its own, where neither code nor compiled Wasm is warm: prints how long the first answer took.
const options = JSON.parse(process.argv[2] ?? '{}') as NodeOptions;
const from = performance.now();
const node = await startInThread(options);
await node.connection.request('chain_getHeader', []);
const ms = performance.now() - from;
console.log(JSON.stringify({ ms, bestNumber: node.info.bestNumber }));
await node.stop();
process.exit();
