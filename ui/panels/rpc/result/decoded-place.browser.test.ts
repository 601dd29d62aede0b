import { expect, it } from 'vitest';
import { createOwnAddress, currentFrame, setFrame } from '../../../kit/page/frame.ts';
import { decodedPlaceOf } from './decoded-place.ts';

const hash = `0x${'0a'.repeat(32)}`;

it('a result that is bytes here leads to the page that shows it decoded, at the same block', () => {
  setFrame({ ...currentFrame(), address: createOwnAddress() });
  const hrefOf = (method: string, params: string, value?: unknown) =>
    decodedPlaceOf(method, params, value)?.href.replace(/^.*#/, '#') ?? null;
  expect(hrefOf('state_getMetadata', '', '0x00')).toBe('#/runtime/pallets');
  expect(hrefOf('state_getMetadata', `["${hash}"]`)).toBe(`#/runtime/pallets?at=${hash}`);
  expect(hrefOf('state_call', `["Metadata_metadata_at_version","0x0f000000","${hash}"]`)).toBe(
    `#/runtime/pallets?at=${hash}`,
  );
  expect(hrefOf('state_call', '["Core_version","0x"]')).toBeNull();
  const block = { block: { header: { number: '0x3e9' }, extrinsics: ['0x00'] } };
  expect(hrefOf('chain_getBlock', `["${hash}"]`, block)).toBe(`#/chain/${hash}`);
  expect(hrefOf('chain_getBlock', '', block)).toBe('#/chain/1001');
  expect(decodedPlaceOf('chain_getBlock', '', block)?.label).toBe('Open block #1\u202f001, decoded');
  expect(hrefOf('chain_getHeader', '', { number: '0x2' })).toBe('#/chain/2');
  expect(hrefOf('chain_getBlock', `["${hash}"]`, null)).toBeNull();
  expect(hrefOf('chain_getBlock', '')).toBeNull();
  expect(hrefOf('author_pendingExtrinsics', '', [])).toBe('#/send/pool');
  setFrame(null);
});
