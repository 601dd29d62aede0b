import { describe, expect, it } from 'vitest';
import { apiIds } from './consensus/read-epoch.ts';
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

it('the finality is unknown until the node has decided it, which is read soon', async () => {
  let reads = 0;
  const sealing = new Sealing({
    status: async () => {
      reads++;
      const finality = { kind: reads < 3 ? 'delayed' : 'grandpa' };
      return { seal: { kind: 'instant' }, finality, finalityUndecided: reads < 3, edited: [] };
    },
    hasSecret: () => false,
  } as never);
  await expect.poll(() => sealing.choice).toBe('instant');
  expect(sealing.finality).toBeNull();
  await expect.poll(() => sealing.finality).toEqual({ kind: 'grandpa' });
  expect(reads).toBe(3);
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

it('without the key of an authority, what seals blocks is refused with the sentence of the buttons, until there is one', async () => {
  const id = `0x${'11'.repeat(32)}`;
  const keys: { keyType: string; publicKey: string }[] = [];
  const sealed: string[] = [];
  const answers: Readonly<Record<string, () => unknown>> = {
    chain_getBlockHash: () => `0x${'0c'.repeat(32)}`,
    state_getRuntimeVersion: () => ({ apis: [[apiIds.aura, 1]] }),
    state_call: () => `0x04${id.slice(2)}`,
    dev_listKeys: () => keys,
  };
  const sealing = new Sealing({
    status: () => new Promise(() => undefined),
    hasSecret: () => false,
    request: async (method: string) => {
      const answer = answers[method];
      if (answer !== undefined) return answer();
      sealed.push(method);
      if (keys.length === 0) throw new Error('No key of the keystore may author block #1 (aura)');
      return null;
    },
  } as never);
  const why = 'The node has no key of the chain’s 1 Aura authority, so it cannot seal blocks.';
  await sealing.seal();
  expect([sealing.keyless, (sealing.fault?.error as Error | undefined)?.message]).toEqual([why, why]);
  await expect(sealing.author(() => Promise.resolve(sealed.push('dev_newBlock')))).rejects.toThrow(why);
  expect(sealed).toEqual(['engine_createBlock']);
  keys.push({ keyType: 'aura', publicKey: id });
  await sealing.seal();
  expect([sealing.keyless, sealing.fault, sealed.length]).toEqual([null, null, 2]);
});
