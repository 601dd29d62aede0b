import { linkToChain, readPlace } from '../../kit/page/route.svelte.ts';

/** Adds the chain to a URL without one; replaces a URL of another chain with the start page. */
export const addressChain = (id: string): void => {
  const { chain, panel } = readPlace(location.hash);
  if (chain === id) return;
  const rest = location.hash.replace(/^#?\/?/, '');
  const link =
    chain === null && rest !== '' ? `#/@${id}/${rest}` : linkToChain(id, chain === null ? panel : undefined);
  history.replaceState(null, '', link);
  dispatchEvent(new HashChangeEvent('hashchange'));
};

/** Takes a chain that was deleted out of the URL, because a reload would look for it. */
export const leaveAddress = (id: string): void => {
  if (readPlace(location.hash).chain === id) history.replaceState(null, '', '#/');
};
