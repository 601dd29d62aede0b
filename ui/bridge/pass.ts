import { isBridgeUrl } from '../../src/bridge/bridge-url.ts';
import type { BridgePass } from '../../src/bridge/keep-shared.ts';

const key = 'tabnode.bridge';

/** How this tab comes to a bridge. `unsafe`: its user allows unsafe calls; `accept`: an address for automation. */
export type KeptPass = BridgePass & { readonly unsafe: boolean; readonly accept: boolean };

/** Takes the pairing code out of the address, which would otherwise be bookmarked and shared. Returns whether there was one. */
export const takePairing = (): boolean => {
  const { hash } = location;
  if (!hash.startsWith('#bridge=')) return false;
  const given = new URLSearchParams(hash.slice(1));
  const [url, value] = [given.get('bridge') ?? '', given.get('code') ?? ''];
  const [accept, unsafe] = [given.has('accept'), given.has('unsafe')];
  // A wrong address does not end a connection that there is.
  if (isBridgeUrl(url) || readPass() === null)
    keepPass({ url, secret: { kind: 'code', value }, unsafe: accept && unsafe, accept });
  history.replaceState(null, '', location.pathname + location.search);
  return true;
};

/** A tab's own: it lasts over reloads, and no other tab is served unless its user pairs it. */
export const keepPass = (pass: KeptPass | null): void => {
  if (pass === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(pass));
};

export const readPass = (): KeptPass | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as KeptPass | null;
  } catch {
    return null;
  }
};
