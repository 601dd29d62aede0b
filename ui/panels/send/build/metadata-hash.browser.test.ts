import { expect, it, vi } from 'vitest';
import { encodeCall } from '../../../../src/scale/extrinsic.ts';
import { toHex } from '../../../../src/scale/hex.ts';
import type { RuntimeMeta } from '../../../../src/scale/types.ts';
import { openLink } from '../../../kit/page/route.svelte.ts';
import { mountIn } from '../../../testing/open-page.ts';
import { useSend } from '../../../testing/open-send.ts';
import BuildCall from './BuildCall.svelte';

const { openSend, real } = useSend();

/** The runtime of the node with the extension, which adds no bytes here, so that the node accepts what is signed. */
const withExtension = (): RuntimeMeta => {
  const { metadata } = real.meta;
  const { extrinsic } = metadata;
  const [list = []] = Object.values(extrinsic.extensionsByVersion);
  const nothing = list.find(({ type }) => real.meta.lookup(type).type === 'void')?.type ?? -1;
  const check = { identifier: 'CheckMetadataHash', type: nothing, additionalSigned: nothing };
  const extensionsByVersion = { ...extrinsic.extensionsByVersion, 0: [...list, check] };
  return {
    ...real.meta,
    metadata: { ...metadata, extrinsic: { ...extrinsic, extensionsByVersion } } as RuntimeMeta['metadata'],
  };
};

const open = (meta: RuntimeMeta, query: string, answer: Parameters<typeof openSend>[0] = () => undefined) => {
  const opened = openSend(answer);
  const call = toHex(encodeCall(real.meta, 'System', 'remark', { remark: '0x01' }));
  openLink(`#/send/System/remark?call=${call}${query}`);
  const page = mountIn(opened.context, BuildCall, { ...opened.props, meta });
  const box = () =>
    [...page.querySelectorAll('label')].find((one) => /metadata hash/.test(one.textContent))?.control;
  const forecast = () => page.querySelector('[aria-label="Forecast"]')?.textContent ?? '';
  return { ...opened, page, box: () => box() as HTMLInputElement | undefined, forecast };
};

it('is an option of runtimes that check it, off until it is chosen, and part of the address', async () => {
  expect(open(real.meta, '&hash=1').box()).toBeUndefined();
  const { box, asked, context, forecast } = open(withExtension(), '');
  /** The page reads the token once for its amounts, and the hash once more. */
  const reads = () => asked.filter(([method]) => method === 'system_properties').length;
  expect(box()?.checked).toBe(false);
  await vi.waitFor(() => expect(forecast()).toContain('UNIT'));
  expect(reads()).toBe(1);
  box()?.click();
  await vi.waitFor(() => expect(context.route.place.query.get('hash')).toBe('1'));
  await vi.waitFor(() => expect(reads()).toBe(2));
  box()?.click();
  await vi.waitFor(() => expect(context.route.place.query.has('hash')).toBe(false));
  expect(open(withExtension(), '&hash=1').box()?.checked).toBe(true);
});

it('if it cannot be computed, the forecast says why', async () => {
  const { page } = open(withExtension(), '&hash=1', (method) =>
    method === 'system_properties' ? {} : undefined,
  );
  await vi.waitFor(() =>
    expect([...page.querySelectorAll('[role="status"].bad')].at(-1)?.textContent).toBe(
      'The metadata hash covers the token, and this chain’s properties name none. Add tokenSymbol and tokenDecimals to its specification.',
    ),
  );
});

it.each([
  ['&hash=1', '0x010100', 'This runtime was built without a metadata hash'],
  ['&hash=1', '0x010004', 'another token symbol'],
  ['', '0x010100', null],
])('with %s, a refusal as %s is explained: %s', async (query, refusal, hint) => {
  const { page, forecast } = open(withExtension(), query, (_method, [name]) =>
    name === 'TaggedTransactionQueue_validate_transaction' ? refusal : undefined,
  );
  await vi.waitFor(() => expect(forecast()).toContain('refuses'));
  const hints = [...page.querySelectorAll('p.warn')].map(({ textContent }) => textContent);
  expect(hints).toEqual(hint === null ? [] : [expect.stringContaining(hint)]);
});
