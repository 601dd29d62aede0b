import { parseArgs } from 'node:util';

const help = `Usage: npm run host-calls -- [--sequences N] [--seed N] [--length N]

Runs lists of host calls in the same runtime on a native node and on ours, and compares every result: first each argument of
each function at its limits, then N random sequences (default 10000) of up to LENGTH steps (default 60). At the first
sequence that differs it prints the shortest one found that still does, and ends with 1. Needs ../shared/native-node.`;

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '20261128' },
    length: { type: 'string', default: '60' },
    help: { type: 'boolean', short: 'h' },
  },
});

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const main = async (): Promise<boolean> => {
  const { hasNativeNode } = await import('../native-rig.ts');
  if (!hasNativeNode) {
    say('There is no native node in ../shared/native-node.');
    return false;
  }
  const { checkEach, checkSequences } = await import('./check.ts');
  const { edgeSweep, oneOfEach } = await import('./edges.ts');
  const { startPairs } = await import('./nodes.ts');
  const { createSeededCrypto } = await import('./signatures.ts');
  const nodes = await startPairs();
  const from = performance.now();
  const seconds = (): string => `${Math.round((performance.now() - from) / 1000)} s`;
  try {
    const single = [...oneOfEach(), ...edgeSweep()];
    for (const [version, pair] of nodes.pairs.entries()) {
      const failures = await checkEach(pair, single);
      say(
        `state version ${version}: ${single.length} single calls, ${failures.length} differ (${seconds()})`,
      );
      for (const failure of failures) say(failure);
      if (failures.length > 0) return false;
    }
    const { pairs } = nodes;
    const count = Number(values.sequences);
    const [length, seed] = [Number(values.length), Number(values.seed)];
    const onSequence = (done: number): void => {
      if (done % 1000 === 0) process.stderr.write(`${done} sequences (${seconds()})\n`);
    };
    const crypto = await createSeededCrypto();
    const result = await checkSequences({ pairs, crypto, count, length, seed, onSequence });
    if (result.failure !== null) {
      say(`seed ${seed}: a difference\n${result.failure}`);
      return false;
    }
    say(
      `${count} sequences, ${result.calls} calls of ${result.names.size} functions, no difference (${seconds()})`,
    );
    say(`known differences met: ${[...result.known].sort().join(', ') || 'none'}`);
    return true;
  } finally {
    await nodes.close();
  }
};

if (values.help === true) say(help);
else process.exitCode = (await main()) ? 0 : 1;
