import { expect, it } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import { devAccounts } from '../../../node/accounts.ts';
import { mountIn, openContext, widen } from '../../../testing/open-page.ts';
import PoolRow from './PoolRow.svelte';

const openRow = (change: object = {}) => {
  const entry = { hash: `0x${'ab'.repeat(32)}`, extrinsic: '0x04', priority: '1', validTill: '64' };
  const line = { ...entry, label: 'System.remark', signer: null, nonce: 1, decoded: null, fault: null };
  return mountIn(openContext(() => null).context, PoolRow, {
    meta: { ss58Prefix: 42 },
    line: { ...line, requires: ['0x01', '0x01'], provides: ['0x02', '0x02'], ...change },
    all: [],
    busy: false,
    onskip: () => undefined,
    onremove: () => undefined,
  } as never);
};

it('a pool row warns of a transaction that the live chain accepts too, unless its key is everybody’s', () => {
  const warnings = (signer: string | null, validOnLiveChain: boolean): number =>
    openRow({ signer, validOnLiveChain }).textContent.match(/live chain too/g)?.length ?? 0;
  const own = `0x${'77'.repeat(32)}`;
  const [alice] = devAccounts;
  expect([warnings(own, true), warnings(null, true)]).toEqual([1, 1]);
  expect([warnings(own, false), warnings(alice?.id ?? '', true)]).toEqual([0, 0]);
});

it('a pool row shows each tag once; both actions look alike, and on a phone begin in line with its text', () => {
  const page = openRow();
  // A runtime may name a tag twice.
  expect(page.querySelectorAll('dd [title^="0x0"]').length).toBe(2);
  const buttons = [...page.querySelectorAll('.acts > button')];
  const lookOf = (one: Element) => {
    const { borderColor, backgroundColor, height } = getComputedStyle(one);
    return `${borderColor} ${backgroundColor} ${height}`;
  };
  expect(buttons.length).toBe(2);
  expect(new Set(buttons.map(lookOf)).size).toBe(1);
  widen(page, 390);
  const leftOf = (of: Node | null | undefined) => {
    const range = document.createRange();
    range.selectNodeContents(of as Node);
    return range.getBoundingClientRect().left;
  };
  expect(leftOf(buttons[0]?.firstChild)).toBe(leftOf(page.querySelector('summary b')));
});
