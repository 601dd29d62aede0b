import { linkTo, linkWith } from '../../../kit/page/route.svelte.ts';
import { groupDigits } from '../../../kit/text/format.ts';
import { readParams } from './stored.ts';

/** A page that shows a result decoded. */
export type DecodedPlace = { readonly href: string; readonly label: string };

const hashIn = (params: readonly unknown[], index: number): string | undefined => {
  const hash = params[index];
  return typeof hash === 'string' ? hash : undefined;
};

const blockPlace = (params: readonly unknown[], value: unknown): DecodedPlace | null => {
  const { block, ...header } = (value ?? {}) as { block?: { header?: object } };
  const { number } = (block?.header ?? header) as { number?: unknown };
  const hash = hashIn(params, 0);
  if (value === null || (hash === undefined && number === undefined)) return null;
  const name = number === undefined ? 'the block' : `block #${groupDigits(Number(number))}`;
  return { href: linkTo('chain', hash ?? Number(number)), label: `Open ${name}, decoded` };
};

/**
 * The page that shows the result of a call decoded, which is bytes here; null if there is none. `value` is undefined if
 * the result was not kept whole.
 */
export const decodedPlaceOf = (method: string, text: string, value: unknown): DecodedPlace | null => {
  const params = readParams(text);
  const pallets = (at: string | undefined): DecodedPlace => ({
    href: linkWith(at === undefined ? {} : { at }, 'runtime', 'pallets'),
    label: 'Open in Runtime › Pallets, decoded',
  });
  switch (method) {
    case 'state_getMetadata':
      return pallets(hashIn(params, 0));
    case 'state_call':
    case 'state_callAt':
      return String(params[0]).startsWith('Metadata_metadata') ? pallets(hashIn(params, 2)) : null;
    case 'chain_getBlock':
    case 'chain_getHeader':
      return blockPlace(params, value);
    case 'author_pendingExtrinsics':
      return { href: linkTo('send', 'pool'), label: 'Open in Send › Pool, decoded' };
    default:
      return null;
  }
};
