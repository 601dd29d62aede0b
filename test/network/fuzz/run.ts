import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzz } from './fuzz.ts';

const help = `Usage: npm run fuzz:network -- [--frames N] [--seed N]

Peers send N frames (default 1,000,000) to a node: in every state of the handshake, of yamux, and of each protocol. They are random, cut,
oversized, repeated, out of order, or almost valid. Fails if the node reports an error, a promise is rejected, memory grows beyond
its bound, or another peer is not served. The last frame is printed with the seed of its attack: --seed with that one begins with it.
`;

/** More than all bounds of one peer allow at a time. */
const maxGrowthBytes = 256 * 1024 * 1024;

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const inUse = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;

const run = async (): Promise<void> => {
  let first: number | null = null;
  let highest = 0;
  const onProgress = (frames: number, attacks: number): void => {
    const used = inUse();
    if (attacks > 0) first ??= used;
    highest = Math.max(highest, used);
    if (first !== null && used - first > maxGrowthBytes)
      throw new Error(`Memory has grown from ${megabytes(first)} to ${megabytes(used)}`);
    process.stdout.write(`${frames} frames, ${attacks} attacks, ${megabytes(used)} in use\n`);
  };
  const result = await fuzz({ frames: Number(values.frames), seed: Number(values.seed), onProgress });
  for (const [kind, count] of Object.entries(result.byKind)) process.stdout.write(`  ${kind}: ${count}\n`);
  const most = megabytes(highest);
  process.stdout.write(
    `${result.frames} frames of ${result.attacks} attacks were borne, with at most ${most} in use\n`,
  );
};

if (values.help) process.stdout.write(help);
else await run();
