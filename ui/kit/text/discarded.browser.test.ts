import { expect, it, vi } from 'vitest';
import { JsonRpcError } from '../../../src/protocol/json-rpc/json-rpc-error.ts';
import { BlockDetails } from '../../panels/chain/block/block-details.svelte.ts';
import ValueRibbon from '../../panels/storage/ValueRibbon.svelte';
import { mountIn, openContext } from '../../testing/open-page.ts';
import Alert from '../states/Alert.svelte';
import { discardedText } from './discarded.ts';
import { faultText, rawFault } from './format.ts';

const hash = `0x${'0a'.repeat(32)}`;
const gone = () => new JsonRpcError(4003, `Client error: UnknownBlock: State already discarded for ${hash}`);

it('a discarded state is explained by what the chain keeps, and the node’s words stay below', async () => {
  const { context } = openContext(() => Promise.reject(gone()));
  const fault = await context.node.request('state_getStorage', ['0x', hash]).catch((error: unknown) => error);
  // The fake node reports no status.
  expect(faultText(fault)).toBe(discardedText(null));
  expect(rawFault(fault)).toMatch(/^4003: Client error: UnknownBlock: State already discarded/);
  const page = mountIn(context, Alert, { title: 'Failed', fault } as never);
  expect(page.textContent).toContain('The state of this block was discarded.');
  expect(page.textContent).toContain('State already discarded');
  expect(discardedText(4096)).toMatch(
    /keeps the states of the last 4.096 finalized blocks\. .*“Keep all states”\.$/,
  );
  expect(discardedText(null)).toContain('a node that keeps all (archive)');
  expect(discardedText(5, true)).toContain('--state-pruning archive');
});

it('the body of a block without a state is decoded, and nothing is claimed of its events', async () => {
  const meta = { ss58Prefix: 42 };
  const { context } = openContext(() => Promise.reject(gone()));
  const of = async (block: string | null) => (block === null ? meta : Promise.reject(gone()));
  const header = { number: '0x1', parentHash: hash, digest: { logs: [] } };
  const block = { hash, number: 1, header, extrinsics: [] } as never;
  const details = new BlockDetails({ ...context, metadata: { of } as never }, block);
  await vi.waitFor(() => expect(details.meta).toEqual(meta));
  expect([details.discarded !== null, details.metaFault, details.events.list]).toEqual([true, null, []]);
});

it('the history of a value ends where the states that are kept begin', async () => {
  const asked: unknown[] = [];
  const { context } = openContext((method, [first]) => {
    if (method === 'chain_getBlockHash') {
      asked.push((first as number[])[0]);
      return (first as number[]).map(() => hash);
    }
    if (method === 'chain_getHeader') return { number: '0x64' };
    return method === 'state_queryStorage' ? [{ block: hash, changes: [] }] : hash;
  });
  const node = context.node.with({ keeps: () => 8 });
  const chain = { best: { number: 100 }, finalized: 98 } as never;
  const page = mountIn({ ...context, node, chain }, ValueRibbon, { key: '0x01', live: null });
  await vi.waitFor(() => expect(page.textContent).toContain('Older states were discarded.'));
  expect(asked).toEqual([92]);
  expect(page.textContent).not.toMatch(/Older\s*$/);
});
