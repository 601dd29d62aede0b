import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { NodeError } from '../../../../src/protocol/errors.ts';
import { eventsKey } from '../../../../src/scale/events.ts';
import type { BlockItem } from '../../../node/chain-view.svelte.ts';
import { mountIn, openContext } from '../../../testing/open-page.ts';
import { useRealNode } from '../../../testing/real-node.ts';
import { BlockDetails } from './block-details.svelte.ts';
import ExtrinsicBody from './ExtrinsicBody.svelte';

const real = useRealNode();

/** The page of the first extrinsic of a new block; `events` supplies the value of System.Events. */
const openExtrinsic = async (events: (value: unknown) => unknown) => {
  const hash = String(await real.request('dev_newBlock', []));
  const { block } = (await real.request('chain_getBlock', [hash])) as { block: Omit<BlockItem, 'hash'> };
  const { context } = openContext(async (method, params) => {
    const answer = await real.request(method, params);
    return method === 'state_getStorage' && params[0] === eventsKey ? events(answer) : answer;
  });
  const details = new BlockDetails(context, { ...block, hash, number: Number(block.header.number) });
  const page = mountIn(context, ExtrinsicBody, { hex: block.extrinsics[0] ?? '', details, index: 0 });
  const outcome = () => {
    flushSync();
    const term = [...page.querySelectorAll('dt')].find(({ textContent }) => textContent === 'outcome');
    return term?.nextElementSibling?.textContent.trim();
  };
  return outcome;
};

it('the outcome is being read until the events are there, and nothing else is said meanwhile', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const outcome = await openExtrinsic((value) => held.then(() => value));
  await vi.waitFor(() => expect(outcome()).toBe('reading the events…'));
  release();
  await vi.waitFor(() => expect(outcome()).toBe('ok'));
});

it.each([
  ['they cannot be decoded', () => '0xff', /^not known: The events of the block cannot be read: ./],
  ['there are none', () => null, /^not known: No event of the block says whether it succeeded\.$/],
  [
    'the state was discarded',
    () => {
      throw new NodeError('StateDiscarded', 'State already discarded for 0x00');
    },
    /^not known: .*discarded/,
  ],
])('the outcome is not known if %s, with the reason', async (_, events, text) => {
  const outcome = await openExtrinsic(events);
  await vi.waitFor(() => expect(outcome()).toMatch(text));
});
