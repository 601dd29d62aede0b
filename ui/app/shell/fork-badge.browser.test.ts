import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import type { ForkStatus } from '../../../src/index.ts';
import { mountIn, openContext } from '../../testing/open-page.ts';
import ForkBadge from './ForkBadge.svelte';

const endpoint = {
  name: 'wss://rpc.example/',
  state: 'fit',
  problem: null,
  requests: 37,
  bytes: 9,
  failures: 0,
  lies: 0,
  shared: null,
  latencyMs: 80,
  states: 'all',
} as const;
const fork: ForkStatus = {
  name: 'Westend',
  base: { hash: `0x${'ab'.repeat(32)}`, number: 23_456 },
  chosenAs: 'finalized',
  endpoints: [endpoint],
  requests: 37,
  bytes: 1_200_000,
  lies: 0,
  shared: null,
  untruths: [],
};

const open = (change: Partial<ForkStatus>, addresses: readonly string[] = []) => {
  const page = mountIn(openContext(() => null).context, ForkBadge, {
    fork: { ...fork, ...change },
    addresses,
  });
  const badge = page.querySelector('button');
  badge?.click();
  flushSync();
  return { badge, text: page.querySelector('dialog')?.textContent.replace(/\s+/g, ' ') ?? '', page };
};

it('names the live chain and the base, and says that nothing differs', () => {
  const { badge, text } = open({});
  expect(badge?.textContent).toMatch(/fork\sof Westend\s#23\s456/);
  expect(badge?.classList.contains('warn')).toBe(false);
  expect(text).toContain('The endpoint said that it is finalized.');
  expect(text).toMatch(/37 requests, 1.2 MB/);
  expect(text).toContain('wss://rpc.example/: connected');
  expect(text).toContain('to the byte');
});

it('lists what is not as on the live chain', () => {
  const untruths = [
    'Blocks have no seal: the keys of the authorities are not here',
    'The state of some blocks was edited',
  ];
  const { badge, page } = open({ untruths, chosenAs: 'number', lies: 2 });
  expect(badge?.classList.contains('warn')).toBe(true);
  expect([...page.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual(
    untruths.map((one) => `${one}.`),
  );
  expect(page.textContent).not.toContain('to the byte');
  expect(page.textContent).toContain('2 false answers');
});

it('says what an endpoint lacks, and how the page reaches it again', () => {
  const gone = { ...endpoint, state: 'failing', problem: 'accepts no connection' } as const;
  const { text, page } = open({ endpoints: [gone] }, [endpoint.name]);
  expect(text).toContain('wss://rpc.example/: not reachable accepts no connection');
  expect(text).toContain('What was read is stored');
  expect(page.querySelector('dialog a')?.getAttribute('href')).toMatch(/^\?fork=wss%3A%2F%2Frpc\.example%2F/);
  expect(open({ endpoints: [] }).text).toContain('Endpoints None');
});
