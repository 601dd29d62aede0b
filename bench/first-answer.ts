import type { NodeOptions } from '../src/start.ts';
import { timed } from './measure.ts';
import { startInThread } from './thread.ts';

// Runs in a separate process, where neither code nor compiled Wasm is warm: prints the time to the first
// response.
const options = JSON.parse(process.argv[2] ?? '{}') as NodeOptions;
const {
  ms,
  cpuMs,
  value: node,
} = await timed(async () => {
  const started = await startInThread(options);
  await started.connection.request('chain_getHeader', []);
  return started;
});
console.log(JSON.stringify({ ms, cpuMs, bestNumber: node.info.bestNumber }));
await node.stop();
process.exit();
