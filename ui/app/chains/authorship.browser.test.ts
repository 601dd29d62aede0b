import { expect, it, onTestFinished, vi } from 'vitest';
import { toHex } from '../../../src/scale/hex.ts';
import { hasFixtures, loadFixtureText } from '../../../test/rigs/fixtures.ts';
import { keylessText } from '../../node/consensus/authorship.ts';
import { Sealing } from '../../node/sealing.svelte.ts';
import { mountIn, openContext, press, settle } from '../../testing/open-page.ts';
import SealControl from '../shell/SealControl.svelte';
import { checkAuthorship } from './check-authorship.ts';
import NewChain from './NewChain.svelte';

const { signal } = new AbortController();
const specOf = async (name: string) => ({ specJson: await loadFixtureText(`chains/${name}-raw.json`) });

it.skipIf(!hasFixtures)(
  'the authorities of a specification are read from its genesis, for BABE as of 2020 and today, and for Aura',
  async () => {
    const found = [];
    for (const name of ['westend', 'westend-dev', 'node-template', 'coretime-polkadot'])
      found.push(await checkAuthorship(await specOf(name), signal));
    expect(found).toEqual([
      { engine: 'babe', authorities: 4, isHeld: false },
      { engine: 'babe', authorities: 1, isHeld: true },
      { engine: 'aura', authorities: 2, isHeld: true },
      { engine: 'aura', authorities: 7, isHeld: false },
    ]);
    expect(await checkAuthorship('local_testnet', signal)).toMatchObject({ authorities: 2, isHeld: true });
    expect(found.map(keylessText)).toEqual([
      'The node has no key of the chain’s 4 BABE authorities, so it cannot seal blocks.',
      null,
      null,
      'The node has no key of the chain’s 7 Aura authorities, so it cannot seal blocks.',
    ]);
  },
);

const openForm = (file: object) => {
  const { context } = openContext(() => null);
  const create = vi.fn(async (..._call: readonly unknown[]) => undefined);
  const session = {
    node: null,
    entry: null,
    create,
    book: { find: () => null, entries: [], freeName: (name: string) => name },
  };
  const page = mountIn(context, NewChain, { session, file, onclose: () => undefined } as never);
  return { page, create };
};

it.skipIf(!hasFixtures)(
  'a chain without a key says so before it is created, and is created to look at',
  async () => {
    const { page, create } = openForm({ kind: 'spec', name: 'Westend', ...(await specOf('westend')) });
    const alert = () => page.querySelector('[role="alert"]')?.textContent ?? '';
    await vi.waitFor(() => expect(alert()).toContain('You hold none of its authority keys'), {
      timeout: 30_000,
    });
    expect(alert()).toContain('no key of the chain’s 4 BABE authorities');
    press(page, 'Create to look only');
    await vi.waitFor(() => expect(create).toHaveBeenCalledOnce());
    expect(create.mock.lastCall?.at(-1)).toBe(true);
  },
);

it.skipIf(!hasFixtures)('a chain that this node can seal is created as before', async () => {
  const checked = vi.spyOn(Worker.prototype, 'terminate');
  onTestFinished(() => checked.mockRestore());
  const { page, create } = openForm({ kind: 'spec', name: 'Dev', ...(await specOf('westend-dev')) });
  await vi.waitFor(() => expect(checked).toHaveBeenCalled(), { timeout: 30_000 });
  await settle();
  expect(page.textContent).not.toContain('authority keys');
  press(page, 'Create and start');
  await vi.waitFor(() => expect(create.mock.lastCall?.at(-1)).toBe(false));
});

it('a chain without a key offers no sealing, says why, and does once a key is added', async () => {
  const key = `0x${'01'.repeat(32)}`;
  const keys: object[] = [];
  const authorities = `04${key.slice(2)}0100000000000000`;
  const { context } = openContext((method) => {
    if (method === 'state_getRuntimeVersion') return { apis: [['0xcbca25e39f142387', 2]] };
    if (method === 'state_call') return toHex(new Uint8Array(32)) + authorities;
    if (method === 'dev_listKeys') return keys;
    return method === 'chain_getBlockHash' ? key : null;
  });
  const status = { seal: { kind: 'manual' }, finality: { kind: 'delayed' }, edited: [] } as never;
  const sealing = new Sealing(context.node.with({ status: async () => status }), true);
  const page = mountIn({ ...context, sealing }, SealControl, { sealing, stuck: null });
  const button = () => page.querySelector<HTMLButtonElement>('button.primary');
  const offered = () =>
    [...page.querySelectorAll<HTMLOptionElement>('option:enabled')].map(({ text }) => text);
  await vi.waitFor(() => expect(button()?.disabled).toBe(true));
  expect(button()?.title).toBe(
    'The node has no key of the chain’s 1 BABE authority, so it cannot seal blocks.',
  );
  expect(offered()).toEqual(['manual']);
  expect(page.querySelector('a.tag')?.textContent).toBe('look only');
  keys.push({ keyType: 'babe', publicKey: key, scheme: 'sr25519' });
  sealing.applyStatus(status);
  await vi.waitFor(() => expect(button()?.disabled).toBe(false));
  expect(offered().length).toBeGreaterThan(1);
  expect(page.querySelector('a.tag')).toBeNull();
});
