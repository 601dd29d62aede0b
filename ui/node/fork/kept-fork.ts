import { writeJson } from '../../../src/protocol/json.ts';
import { isShape, isText } from '../../kit/page/guards.ts';
import { attempt } from '../../kit/text/format.ts';
import { forkHref } from '../live-chain/fork-place.ts';

/** What the form of a fork has to continue with once the page is opened again. */
export type KeptFork = { readonly endpoints: string; readonly block: string; readonly name: string };

/** In the session storage of the tab, so that a link of someone else starts nothing. */
const key = 'tabnode.fork';
const isKept = isShape<KeptFork>({ endpoints: isText, block: isText, name: isText });

/** The form that was kept, once; null if none was. */
export const takeKeptFork = (): KeptFork | null => {
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  const kept = attempt<unknown>(() => JSON.parse(text ?? 'null')).value;
  return isKept(kept) ? kept : null;
};

/** Opens the page again with these nodes in its URL, under a policy that allows them, and goes on with the form there. */
export const openWithFork = (
  kept: KeptFork,
  addresses: readonly string[],
  page: Pick<Location, 'assign'> = location,
): void => {
  sessionStorage.setItem(key, writeJson(kept));
  page.assign(forkHref(addresses, kept.block));
};
