import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasNativeNode } from '../../test/native/native-rig.ts';
import { summarize } from './rounds.ts';
import { chooseLines } from './run.ts';
import { openTools } from './tools.ts';

const source = fileURLToPath(new URL('../../bridge/tabnode.ts', import.meta.url));

describe.skipIf(!hasNativeNode)('the bench beside a native node (shared native-node)', () => {
  it('measures transfers that both nodes have in a block, and the processor time of both', async () => {
    const tools = await openTools(source);
    onTestFinished(tools.close);
    const chosen = chooseLines(['build-very-first-100']);
    if ('unknown' in chosen) throw new Error(chosen.unknown);
    const pairs = await Promise.all(chosen.lines.map((line) => line.measure(tools, 1)));
    const { ours, native, cpuRatio } = summarize(pairs.flat());
    for (const value of [ours.min, native.min, cpuRatio?.min]) expect(value).toBeGreaterThan(0);
  }, 120_000);
});
