import { expect, it } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import '../../../panels.css';
import { baselineOf, mountIn, openContext, widen } from '../../../testing/open-page.ts';
import BlockFacts from './BlockFacts.svelte';

it('the facts of a block are rows of one height, each in one line', () => {
  const { context } = openContext(() => null);
  const claim = { slot: 299_279_958, authority: 0, kind: 'secondary plain' };
  const author = { claim, id: '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d' };
  const props = { block: { hash: `0x${'a1'.repeat(32)}` }, timeMs: 1_764_143_748_000, author };
  const page = mountIn(context, BlockFacts, props as never);
  // The panel of a window of 1440 px, of one of 1024 px, and a phone.
  for (const width of [494, 344, 390]) {
    widen(page, width);
    const lines = [...page.querySelectorAll('dt')].map(baselineOf);
    const heights = lines.slice(1).map((line, at) => line - (lines[at] ?? 0));
    expect(heights, `${width} px`).toEqual([24, 24, 24, 24]);
  }
});
