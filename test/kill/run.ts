import { parseArgs } from 'node:util';
import type { Backend } from './disks.ts';
import { kill } from './points.ts';

const help = `Usage: npm run kill -- [--points N] [--backend sqlite|idb|memory]… [--seed N]

Lets writes of a chain fail, hang, or end the process, at N points (default 1000) of each backend (default: all), in steps
drawn by the seed: sealing, forks, imports, finalising, dev_setHead, the flush when a node closes, repairs. Ends at the first
point at which something was told that is not stored, or after which the chain is not whole, and names it.`;

const backends = ['memory', 'sqlite', 'idb'] as const satisfies readonly Backend[];

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '1000' },
    backend: { type: 'string', multiple: true, default: [...backends] },
    seed: { type: 'string', default: '20261122' },
    help: { type: 'boolean', short: 'h' },
  },
});

const run = async (name: string): Promise<void> => {
  const backend = backends.find((one) => one === name);
  if (backend === undefined) throw new Error(`--backend ${name}: there are ${backends.join(', ')}`);
  const from = performance.now();
  const onPoint = (count: number): void => {
    if (count % 100 === 0) process.stderr.write(`${backend}: ${count}\n`);
  };
  const tally = await kill({ backend, points: Number(values.points), seed: Number(values.seed), onPoint });
  const seconds = Math.round((performance.now() - from) / 1000);
  process.stdout.write(`${backend}: ${values.points} points, no harm (${seconds} s)\n`);
  for (const [label, count] of [...tally].sort()) process.stdout.write(`  ${label} ${count}\n`);
};

if (values.help === true) process.stdout.write(`${help}\n`);
else for (const backend of values.backend) await run(backend);
