import { expect, it } from 'vitest';
import '../../../base.css';
import '../../../tokens.css';
import { mountIn, openContext } from '../../../testing/open-page.ts';
import DigestList from './DigestList.svelte';

it('the copy buttons of a VRF claim and an epoch do not overlap', () => {
  const claim = `0x0642414245b50103${'02000000'}${'0700000000000000'}${'ab'.repeat(32)}${'cd'.repeat(64)}`;
  const authority = (byte: string) => `${byte.repeat(32)}0100000000000000`;
  const epoch = `0x0442414245c9010108${authority('aa')}${authority('bb')}${'11'.repeat(32)}`;
  const page = mountIn(openContext(() => null).context, DigestList, { logs: [claim, epoch] });
  const places = [...page.querySelectorAll('button')].map((one) => one.getBoundingClientRect());
  expect(places.length).toBeGreaterThan(5);
  for (const [at, one] of places.entries())
    for (const other of places.slice(at + 1))
      expect(one.bottom <= other.top || one.right <= other.left || other.right <= one.left).toBe(true);
});
