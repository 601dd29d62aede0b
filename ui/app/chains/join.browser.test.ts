import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { NodeError } from '../../../src/index.ts';
import type { Session } from '../../node/session/session.svelte.ts';
import { mountIn, openContext, press, typeIn } from '../../testing/open-page.ts';
import { JoinStart } from './join-start.svelte.ts';
import NewChain from './NewChain.svelte';

const id = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';
const ws = `/ip4/127.0.0.1/tcp/30333/ws/p2p/${id}`;
const tcp = `/ip4/127.0.0.1/tcp/30333/p2p/${id}`;
const spec = JSON.stringify({ name: 'Testnet', id: 'test', genesis: { raw: {} }, bootNodes: [tcp, ws] });

const openForm = (create: () => Promise<void> = async () => undefined) => {
  const { context } = openContext(() => null);
  const created = vi.fn(create);
  const book = { find: () => null, entries: [], freeName: (name: string) => name };
  const session = { node: null, entry: null, book, create: created } as unknown as Session;
  const onclose = vi.fn();
  const page = mountIn(context, NewChain, { session, onclose });
  const field = (label: string) => {
    const all = [...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
    return all.find(({ labels }) => labels?.[0]?.textContent.trim().startsWith(label));
  };
  field('Join a network')?.click();
  flushSync();
  const alerts = () => [...page.querySelectorAll('[role="alert"]')].map((one) => one.textContent.trim());
  return { page, created, onclose, field, alerts };
};

it('joins with the pasted specification: its boot nodes that a page can dial, no key, no block of its own', async () => {
  const { page, created, onclose, field } = openForm();
  typeIn(field('Specification'), spec);
  press(page, 'Join and start');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  expect(created.mock.lastCall).toEqual([
    'Testnet',
    { kind: 'spec' },
    { specJson: spec, keys: [] },
    null,
    'recent',
    true,
    {},
    { isOn: true, bootNodes: [ws], tabs: true },
  ]);
});

it('takes the specification of a file, shows its boot nodes, and stores the keys with the chain', async () => {
  const { page, created, onclose, field } = openForm();
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([spec], 'chain.json'));
  const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
  field('Specification')?.closest('fieldset')?.dispatchEvent(drop);
  await vi.waitFor(() => expect(page.textContent).toContain('chain.json'));
  expect(field('Nodes')?.value).toBe(`${tcp}\n${ws}`);
  expect(field('Name')?.value).toBe('Testnet');
  typeIn(field('Name'), 'Mine');
  typeIn(field('Nodes'), ws);
  typeIn(field('Keys'), '//Bob\n');
  press(page, 'Join and start');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  expect(created.mock.lastCall).toMatchObject([
    'Mine',
    {},
    { keys: ['//Bob'] },
    null,
    'recent',
    false,
    {},
    { bootNodes: [ws] },
  ]);
});

it.each([
  ['', ws, 'Choose the file of the chain’s specification, or paste its text.'],
  ['{"name": 1}', ws, 'The text is JSON, but not a chain spec: it has no "genesis".'],
  [spec, 'ws://127.0.0.1:9944', '“ws://127.0.0.1:9944” is not the address of a node.'],
  [spec, tcp, 'A browser can only dial WebSockets, and none of these addresses has /ws or /wss.'],
])('a specification “%s” with the address %s is refused in one sentence', async (given, address, text) => {
  const { page, created, field, alerts } = openForm();
  typeIn(field('Specification'), given);
  typeIn(field('Nodes'), address);
  press(page, 'Join and start');
  await vi.waitFor(() => expect(alerts()).toEqual([expect.stringContaining(text)]));
  expect(created).not.toHaveBeenCalled();
});

it('without nodes and other tabs, there is no network', async () => {
  const { page, created, field, alerts } = openForm();
  typeIn(field('Specification'), spec);
  typeIn(field('Nodes'), ' ');
  field('Connect with this chain')?.click();
  press(page, 'Join and start');
  await vi.waitFor(() =>
    expect(alerts()).toEqual(['Enter the address of a node, or connect with other tabs.']),
  );
  expect(created).not.toHaveBeenCalled();
});

it('says why the chain did not start', async () => {
  const { page, field, alerts, onclose } = openForm(async () => {
    throw new NodeError('InNetwork', 'This chain cannot join a network: blocks may have mock signatures');
  });
  typeIn(field('Specification'), spec);
  press(page, 'Join and start');
  await vi.waitFor(() =>
    expect(alerts()).toEqual(['This chain cannot join a network: blocks may have mock signatures']),
  );
  expect(onclose).not.toHaveBeenCalled();
});

it('a key that is none is refused at its field, which gets the focus', async () => {
  const { page, field, alerts } = openForm(async () => {
    throw new NodeError('BadKey', 'the phrase is not an English mnemonic');
  });
  typeIn(field('Specification'), spec);
  typeIn(field('Keys'), 'Bob');
  press(page, 'Join and start');
  await vi.waitFor(() =>
    expect(alerts()).toEqual([
      'A key is not a secret URI such as //Bob: the phrase is not an English mnemonic.',
    ]),
  );
  expect(field('Keys')?.getAttribute('aria-invalid')).toBe('true');
  await vi.waitFor(() => expect(document.activeElement).toBe(field('Keys')));
});

it('the specification of another chain than that of the node is refused', async () => {
  const { specJson } = await import('../../testing/local-spec.fixture.ts');
  const create = vi.fn(async () => undefined);
  const other = new JoinStart(create, `0x${'11'.repeat(32)}`);
  other.pasted = await specJson();
  other.addresses = ws;
  expect(await other.run('')).toBe(false);
  expect(other.fault).toMatchObject({
    field: 'spec',
    text: expect.stringMatching(/^This is the specification of another chain: its genesis block is 0x/),
  });
  expect(create).not.toHaveBeenCalled();
});
