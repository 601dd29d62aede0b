import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import '../../../panels.css';
import { findCall } from '../../../../src/scale/calls.ts';
import { defaultJson } from '../../../../src/scale/entries.ts';
import { encodeCall } from '../../../../src/scale/extrinsic.ts';
import { toHex } from '../../../../src/scale/hex.ts';
import type { Json } from '../../../../src/scale/types.ts';
import { openLink } from '../../../kit/page/route.svelte.ts';
import { devAccounts } from '../../../node/accounts.ts';
import { mountIn, press } from '../../../testing/open-page.ts';
import { sendButton, useSend } from '../../../testing/open-send.ts';
import BuildCall from './BuildCall.svelte';
import { failureHint } from './failure-hint.ts';
import { originDocs } from './origin.ts';

const { openSend, real } = useSend();
const [alice, bob] = devAccounts.map(({ id }) => id) as [string, string];

const openBuild = async (pallet: string, name: string, args: Json, from = alice, change = {}) => {
  const { context, props } = openSend((method) =>
    method in change ? (change as Record<string, unknown>)[method] : undefined,
  );
  const genesisHash = String(await real.request('chain_getBlockHash', [0]));
  const node = context.node.with({ info: { ...context.node.info, genesisHash } });
  const call = toHex(encodeCall(real.meta, pallet, name, args));
  openLink(`#/send/${pallet}/${name}?call=${call}&from=${from}`);
  const page = mountIn({ ...context, node, keep: context.keep }, BuildCall, props);
  const fact = (of: string) =>
    [...page.querySelectorAll('dt')]
      .find(({ textContent }) => textContent === of)
      ?.nextElementSibling?.textContent?.replace(/\s+/g, ' ')
      .trim();
  const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000 });
  const cost = () =>
    page
      .querySelector(`[id="${sendButton(page)?.getAttribute('aria-describedby')}"]`)
      ?.textContent?.replace(/\s+/g, ' ')
      .trim();
  return { page, fact, until, cost, context };
};

const tooMuch = { dest: { Id: bob }, value: `${10n ** 30n}` };

it('a call that would fail: the pool accepts it, its execution fails, and the button says what that costs', async () => {
  const { page, fact, until, cost } = await openBuild('Balances', 'transfer_keep_alive', tooMuch);
  await until(() => expect(fact('Execution')).toMatch(/^fails: (Token|Arithmetic|Balances)\.\w+/));
  expect(fact('Pool')).toMatch(/^accepts/);
  expect(sendButton(page)?.textContent?.trim()).toBe('Send anyway');
  expect(sendButton(page)?.classList).not.toContain('primary');
  expect(cost()).toMatch(/^would fail and cost 0\.\d+ UNIT$/);
  expect(page.textContent).not.toContain('Send as sudo');
});

it('a multisig that would fail says what to change in it, and where its timepoint is found', async () => {
  const charlie = devAccounts[2]?.id as string;
  const approve = (others: readonly string[], height: number | null = null) =>
    openBuild('Multisig', 'as_multi', {
      threshold: 2,
      other_signatories: others,
      maybe_timepoint: height === null ? null : { height, index: 1 },
      call: { System: { remark: { remark: '0x01' } } },
      max_weight: { ref_time: 0, proof_size: 0 },
    });
  const unordered = await approve([charlie, bob]);
  await unordered.until(() => expect(unordered.fact('Execution')).toMatch(/^fails: Multisig[.]Signator/));
  expect(unordered.page.textContent).toContain('Order other_signatories by public key, the lowest first.');
  const first = await approve([bob, charlie], 1);
  await first.until(() => expect(first.fact('Execution')).toMatch(/^fails: Multisig[.]UnexpectedTimepoint/));
  expect(first.page.textContent).toContain('set it to None');
  const open = await approve([bob, charlie]);
  await open.until(() => expect(open.fact('Execution')).toBe('succeeds'));
  expect(failureHint('Multisig.NoTimepoint: No timepoint was given.')?.link?.href).toBe(
    '#/storage/Multisig/Multisigs',
  );
  expect(failureHint('Token.FundsUnavailable: Funds are unavailable')).toBeNull();
});

it('a call that the pool would refuse costs nothing; one that succeeds is sent by the main button', async () => {
  const refused = await openBuild('System', 'remark', { remark: '0x01' }, alice, {
    state_call: '0x010003',
    system_dryRun: '0x010003',
  });
  await refused.until(() => expect(refused.fact('Pool')).toBe('refuses: Stale: Transaction is outdated'));
  expect([refused.fact('Execution'), refused.cost()]).toEqual([
    'not applied',
    'would be refused, and cost nothing',
  ]);
  expect(sendButton(refused.page)?.classList).not.toContain('primary');
  const { page, fact, until, cost } = await openBuild('System', 'remark', { remark: '0x01' });
  await until(() => expect(fact('Execution')).toBe('succeeds'));
  expect([sendButton(page)?.textContent?.trim(), cost()]).toEqual(['Sign and send', '']);
  expect(sendButton(page)?.classList).toContain('primary');
});

it('a call that only root may make is sent as sudo after one click, by the account with the sudo key', async () => {
  const items = [['0x01', '0x02']];
  const { page, fact, until, context } = await openBuild('System', 'set_storage', { items }, bob);
  await until(() => expect(page.textContent).toContain('Send as sudo…'));
  expect(fact('Execution')).toMatch(/^fails: BadOrigin/);
  expect(page.textContent.replace(/\s+/g, ' ')).toContain('as root, signed by Alice, who has the sudo key');
  press(page, 'Send as sudo…');
  await until(() => expect(fact('Execution')).toBe('succeeds'));
  expect([
    page.querySelector<HTMLInputElement>('[type="checkbox"]')?.checked,
    fact('Pool')?.slice(0, 7),
  ]).toEqual([true, 'accepts']);
  expect(page.querySelector<HTMLSelectElement>('[aria-label="From"]')?.value).toBe(alice);
  expect(document.activeElement).toBe(sendButton(page));
  await until(() => expect(context.route.place.query.get('sudo')).toBe('1'));
  expect(page.textContent).not.toContain('Send as sudo');
});

it('root cannot make every call: one that fails as root too is not offered as sudo', async () => {
  const known = findCall(real.meta, 'Babe', 'report_equivocation_unsigned');
  const args = known?.args ?? null;
  const { page, fact, until } = await openBuild(
    'Babe',
    'report_equivocation_unsigned',
    args && defaultJson(args),
  );
  await until(() => expect(fact('Execution')).toMatch(/^fails: BadOrigin/));
  await until(() => expect(page.textContent).toContain('As root it would fail too: Sudo.Sudid: BadOrigin'));
  expect(page.textContent).not.toContain('Send as sudo');
});

it('a sudo key that this page does not have is named', async () => {
  const key = `0x${'07'.repeat(32)}`;
  const { page, until } = await openBuild('System', 'set_storage', { items: [] }, bob, {
    state_getStorage: key,
  });
  await until(() =>
    expect(page.textContent.replace(/\s+/g, ' ')).toMatch(
      /Only the sudo key can send it as root, and this page has no key for 5C\w+…\w+\. Add that account/,
    ),
  );
  expect(page.textContent).not.toContain('Send as sudo');
});

it('finds the sentence of the docs that names the origin', () => {
  expect(originDocs('Set it.\n\nThe dispatch origin for this call must be _Root_. Emits `Done`.')).toBe(
    'The dispatch origin for this call must be Root.',
  );
  expect(originDocs('May only be called from `T::ForceOrigin`. More.')).toBe(
    'May only be called from T::ForceOrigin.',
  );
  expect(originDocs('Make some on-chain remark.\n\nCan be executed by every `origin`.')).toBeNull();
});
