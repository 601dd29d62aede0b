import { isBridgeUrl } from '../../src/bridge/bridge-url.ts';
import type { BridgePass } from '../../src/bridge/keep-shared.ts';
import { writeJson } from '../../src/protocol/json.ts';

type Kind = BridgePass['secret']['kind'];

/**
 * How this tab connects to a bridge. `accept`: connect without asking if the bridge was started for automation.
 * `unsafe`: unsafe calls are allowed, with a token by the user; with a code it takes effect only together with
 * `accept`.
 */
export type KeptPass = BridgePass & {
  readonly unsafe: boolean;
  readonly accept: boolean;
  /** The tab that was paired: the storage of a tab that is duplicated from it has the pass too. */
  readonly tab?: string;
};

/** The pass of a new pairing address does not replace that of a paired bridge. */
const keyOf = (kind: Kind): string => `tabnode.bridge.${kind}`;

/** Dispatched on the window when a pairing address was pasted into the open page. */
export const pairingOpened = 'tabnode:pairing';

/**
 * Replaces a URL that has a pairing code, so that nobody bookmarks or shares it. Returns whether there was one.
 */
export const takePairing = (back = location.pathname + location.search): boolean => {
  const { hash } = location;
  if (!hash.startsWith('#bridge=')) return false;
  const query = new URLSearchParams(hash.slice(1));
  const [url, value] = [query.get('bridge') ?? '', query.get('code') ?? ''];
  const [accept, unsafe] = [query.has('accept'), query.has('unsafe')];
  // An invalid bridge address does not replace an existing connection.
  if (isBridgeUrl(url) || readPass() === null)
    keepPass({ url, secret: { kind: 'code', value }, unsafe, accept });
  history.replaceState(null, '', back);
  dispatchEvent(new Event(pairingOpened));
  return true;
};

/** Stored per tab: it survives a reload, and every other tab has to be paired separately. */
export const keepPass = (pass: KeptPass): void =>
  sessionStorage.setItem(keyOf(pass.secret.kind), writeJson(pass));

/** Does nothing if another address has replaced it. */
export const dropPass = ({ secret: { kind, value } }: KeptPass): void => {
  if (readPass(kind)?.secret.value === value) sessionStorage.removeItem(keyOf(kind));
};

/** The pass of this kind; without a kind, that of the paired bridge or else of the new address. */
export const readPass = (kind?: Kind): KeptPass | null => {
  if (kind === undefined) return readPass('token') ?? readPass('code');
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(kind)) ?? 'null') as KeptPass | null;
  } catch {
    return null;
  }
};
