import { isBridgeUrl } from '../../src/bridge/bridge-url.ts';
import type { BridgePass } from '../../src/bridge/keep-shared.ts';

const key = 'tabnode.bridge';

/**
 * How this tab connects to a bridge. `unsafe`: the user allows unsafe calls; `accept`: connect without asking
 * if the bridge was started for automation.
 */
export type KeptPass = BridgePass & { readonly unsafe: boolean; readonly accept: boolean };

/** Removes the pairing code from the URL, so that nobody bookmarks or shares it. Returns whether there was one. */
export const takePairing = (): boolean => {
  const { hash } = location;
  if (!hash.startsWith('#bridge=')) return false;
  const query = new URLSearchParams(hash.slice(1));
  const [url, value] = [query.get('bridge') ?? '', query.get('code') ?? ''];
  const [accept, unsafe] = [query.has('accept'), query.has('unsafe')];
  // An invalid bridge address does not replace an existing connection.
  if (isBridgeUrl(url) || readPass() === null)
    keepPass({ url, secret: { kind: 'code', value }, unsafe: accept && unsafe, accept });
  history.replaceState(null, '', location.pathname + location.search);
  return true;
};

/** Stored per tab: it survives a reload, and every other tab has to be paired separately. */
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
