import { describe, expect, it } from 'vitest';
import { Sealing } from './sealing.svelte.ts';

const open = (finality: string) => {
  const calls: unknown[] = [];
  const status = { seal: { kind: 'manual' }, finality: { kind: finality }, edited: [] };
  const sealing = new Sealing({
    status: async () => status,
    hasSecret: () => false,
    request: async (method: string, params: readonly unknown[]) => {
      calls.push([method, ...params]);
    },
  } as never);
  return { sealing, calls };
};

describe('manual sealing', () => {
  it.each(['manual', 'delayed', 'instant'])('does not finalize explicitly: %s', async (finality) => {
    const { sealing, calls } = open(finality);
    await sealing.seal();
    expect(calls).toEqual([['engine_createBlock', true, false]]);
  });

  it('reports that sealing finalizes only if the node does so', async () => {
    const { sealing } = open('instant');
    expect(sealing.finalizes).toBe(false);
    await sealing.seal();
    expect(sealing.finalizes).toBe(true);
    sealing.applyStatus({ seal: { kind: 'manual' }, finality: { kind: 'manual' }, edited: [] });
    expect(sealing.finalizes).toBe(false);
  });
});

it('a status that was asked for before the mode was changed does not undo the change when it arrives', async () => {
  const first = Promise.withResolvers<object>();
  const statusOf = (kind: string) => ({ seal: { kind }, finality: { kind: 'manual' }, edited: [] });
  const answers = [first.promise, Promise.resolve(statusOf('manual'))];
  const sealing = new Sealing({
    status: () => answers.shift(),
    hasSecret: () => false,
    request: async () => undefined,
  } as never);
  const chosen = sealing.choose('manual');
  expect(sealing.choice).toBe('manual');
  first.resolve(statusOf('instant'));
  await chosen;
  expect(sealing.choice).toBe('manual');
});
