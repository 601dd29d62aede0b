import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { eventName } from '../../src/scale/names.ts';
import { encodeKey, storageEntry } from '../../src/scale/storage.ts';
import type { RuntimeMeta } from '../../src/scale/types.ts';
import { openPageNode } from '../../test/rigs/page-node.ts';
import { openLink } from '../kit/page/route.svelte.ts';
import { BlockDetails } from '../panels/chain/block/block-details.svelte.ts';
import { signTransfer } from '../panels/chain/first-steps/transfer.ts';
import SubscriptionRow from '../panels/live/subscriptions/SubscriptionRow.svelte';
import StoredResult from '../panels/rpc/result/StoredResult.svelte';
import CompareBlocks from '../panels/storage/CompareBlocks.svelte';
import EditList from '../panels/storage/edits/EditList.svelte';
import { stateEdits } from '../panels/storage/edits/state-edits.svelte.ts';
import { mountIn, openContext } from '../testing/open-page.ts';
import { upgradeIn } from '../testing/upgraded-node.ts';
import { devAccounts } from './accounts.ts';
import { AtView } from './at-view.svelte.ts';
import type { BlockItem } from './chain-view.svelte.ts';
import { MetadataOfBlocks } from './metadata.svelte.ts';

/** Blocks 1 to 4 with a transfer in the last two. The upgrade is in block 3, so block 4 is the first of the new runtime. */
const openUpgraded = async () => {
  const real = await openPageNode();
  onTestFinished(() => real.close());
  await real.request('dev_newBlock', []);
  const [from, to] = devAccounts;
  if (from === undefined || to === undefined) throw new Error('no accounts');
  const genesisHash = String(await real.request('chain_getBlockHash', [0]));
  const node = { request: real.request, info: { genesisHash }, base: () => null } as never;
  for (let block = 3; block <= 4; block++) {
    const { hex } = await signTransfer(
      { node, metadata: new MetadataOfBlocks(node) },
      { from, to, amount: 10n ** 12n },
    );
    await real.request('author_submitExtrinsic', [hex]);
    await real.request('dev_newBlock', []);
  }
  const hashes = (await real.request('chain_getBlockHash', [[0, 1, 2, 3, 4]])) as string[];
  const request = upgradeIn(real.request, 3);
  const opened = openContext((method, params) => request(method, params));
  const blockAt = async (number: number): Promise<BlockItem> => {
    const hash = hashes[number] ?? '';
    const { block } = (await real.request('chain_getBlock', [hash])) as { block: Omit<BlockItem, 'hash'> };
    return { ...block, hash, number };
  };
  const { metadata } = opened.context;
  const old = await metadata.at(hashes[0] ?? '');
  const entry = storageEntry(old, 'Balances', 'TotalIssuance');
  if (entry === null) throw new Error('no issuance');
  const key = encodeKey(old, entry, []);
  return { ...opened, metadata, real, hashes, blockAt, key };
};

/** Reads like a component, until the test ends. */
const readIn = (read: () => unknown): void => {
  const end = $effect.root(() => {
    $effect(() => {
      read();
    });
  });
  onTestFinished(end);
  flushSync();
};

const hasBalances = (meta: RuntimeMeta | null) => (meta === null ? null : meta.pallet('Balances') !== null);

it('a block is decoded by the runtime that executed it', async () => {
  const { context, blockAt } = await openUpgraded();
  const palletsIn = async (number: number) => {
    const details = new BlockDetails(context, await blockAt(number));
    await vi.waitFor(() => expect(details.events.list).not.toBeNull(), 10_000);
    expect(details.events.fault).toBeNull();
    const names = (details.events.list ?? []).map(({ event }) => eventName(event)?.split('.')[0] ?? '');
    return [...new Set(names.filter((name) => name.startsWith('Balance')))];
  };
  expect(await palletsIn(3)).toEqual(['Balances']);
  expect(await palletsIn(4)).toEqual(['Balancez']);
});

it('the state of the block of an upgrade has values of the old runtime and the code of the new one', async () => {
  const { context, hashes, key, real } = await openUpgraded();
  openLink('#/storage?at=3');
  const view = new AtView(context);
  readIn(() => view.at);
  await vi.waitFor(() => expect(view.meta).not.toBeNull(), 10_000);
  expect([hasBalances(view.meta), hasBalances(view.written)]).toEqual([false, true]);
  const hex = String(await real.request('state_getStorage', [key, hashes[3]]));
  const result = mountIn(context, StoredResult, { key, hash: hashes[3] ?? null, hex });
  await vi.waitFor(() => expect(result.textContent).toContain('Balances.TotalIssuance'), 10_000);
});

it('two states are compared with the metadata of each', async () => {
  const { context, hashes } = await openUpgraded();
  openLink(`#/storage/diff?from=${hashes[2]}&to=${hashes[4]}`);
  const page = mountIn(context, CompareBlocks, {});
  await vi.waitFor(() => expect(page.textContent).toContain('keys differ'), 10_000);
  const row = [...page.querySelectorAll('li')].find((one) => one.textContent.includes('TotalIssuance'));
  const [before, after] = [...(row?.querySelectorAll('span') ?? [])].map(({ textContent }) => textContent);
  // The renamed pallet has another prefix, so only the old runtime knows the key.
  expect(before).toMatch(/UNIT$/);
  expect(after).toMatch(/^0x/);
});

it('the best block’s values are of the old runtime until the block after an upgrade', async () => {
  const { metadata, subscribers, real } = await openUpgraded();
  const request = upgradeIn(real.request, 4);
  const { context, subscribers: heard } = openContext((method, params) => request(method, params));
  const seen: string[] = [];
  const note = ({ best, written, isOnly }: MetadataOfBlocks) =>
    seen.push(`${hasBalances(best)} ${hasBalances(written)} ${isOnly}`);
  readIn(() => note(context.metadata));
  await vi.waitFor(() => expect(heard.has('state_subscribeRuntimeVersion')).toBe(true));
  heard.get('state_subscribeRuntimeVersion')?.({});
  await vi.waitFor(() => expect(seen.at(-1)).toBe('false true false'), 10_000);
  await real.request('dev_newBlock', []);
  const head = heard.get('chain_subscribeNewHeads');
  // The node begins with the head of the subscription.
  head?.({});
  head?.({});
  await vi.waitFor(() => expect(seen.at(-1)).toBe('false false false'), 10_000);
  expect([metadata.best, subscribers.size]).toEqual([null, 0]);
});

it('a notification keeps the runtime of its block after an upgrade', async () => {
  const { hashes, key, real } = await openUpgraded();
  const { context } = openContext((method, params) => upgradeIn(real.request, 4)(method, params));
  await context.metadata.read();
  const next = String(await real.request('dev_newBlock', []));
  await context.metadata.read();
  const rowOf = async (hash: string | undefined) => {
    const hex = await real.request('state_getStorage', [key, hash]);
    const value = { block: hash, changes: [[key, hex]] };
    const call = { method: 'state_subscribeStorage', params: [[key]] };
    const props = { item: { id: 1, atMs: 0, value }, call, meta: context.metadata.written, open: false };
    return mountIn(context, SubscriptionRow, { ...props, onopen: () => undefined } as never);
  };
  for (const hash of [hashes[3], hashes[4]]) {
    const page = await rowOf(hash);
    await vi.waitFor(() => expect(page.textContent).toContain('Balances.TotalIssuance'), 10_000);
  }
  // The new runtime does not know the key of the old one.
  const page = await rowOf(next);
  await vi.waitFor(() => expect(page.textContent).toMatch(/0x/), 10_000);
  expect(page.textContent).not.toContain('Balances');
});

it('a comparison across an upgrade that changes a type decodes each side by its own metadata', async () => {
  const { hashes, real, metadata } = await openUpgraded();
  const { context } = openContext((method, params) =>
    upgradeIn(real.request, 3, ['free', 'gold'])(method, params),
  );
  openLink(`#/storage/diff?from=${hashes[3]}&to=${hashes[4]}`);
  const page = mountIn(context, CompareBlocks, {});
  const rowOf = () => [...page.querySelectorAll('li')].find((one) => one.textContent.includes('[Alice]'));
  await vi.waitFor(() => expect(rowOf()).toBeDefined(), 10_000);
  const [before, after] = [...(rowOf()?.querySelectorAll('span') ?? [])].map(
    ({ textContent }) => textContent,
  );
  // The field has its new name only in what the new runtime wrote; the value of a known account is its balance.
  expect(before).toMatch(/UNIT · nonce 1$/);
  expect(after).toMatch(/nonce: 2,.*gold: \d/s);
  expect(after).not.toContain('free');
  expect(metadata.best).toBeNull();
});

it('the list of edits names what an edit replaced by the runtime that wrote it', async () => {
  const { hashes, real } = await openUpgraded();
  const { context } = openContext((method, params) =>
    upgradeIn(real.request, 3, ['free', 'gold'])(method, params),
  );
  await context.metadata.read();
  const entry = storageEntry(await context.metadata.at(hashes[0] ?? ''), 'System', 'Account');
  if (entry === null) throw new Error('no accounts');
  const key = encodeKey(await context.metadata.at(hashes[0] ?? ''), entry, [devAccounts[0]?.id ?? '']);
  const edits = stateEdits(context);
  for (const block of [hashes[2], hashes[4]]) {
    const before = (await real.request('state_getStorage', [key, block])) as string;
    edits.add({ key, before, after: '0x00', block: block ?? '' });
  }
  const page = mountIn(context, EditList, {});
  const texts = () => [...page.querySelectorAll('li')].map(({ textContent }) => textContent);
  await vi.waitFor(() => expect(texts()[1]).toMatch(/before: .*UNIT · nonce/), 10_000);
  await vi.waitFor(() => expect(texts()[0]).toMatch(/before: .*gold: \d/), 10_000);
});
