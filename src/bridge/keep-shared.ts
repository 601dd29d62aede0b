import { bridgeCloseCodes, type Secret } from '../protocol/bridge.ts';
import type { ChannelOptions, SharedClient } from './channels.ts';
import { type BridgeLink, openBridgeLink, type SharedAddress } from './link.ts';

export type { SharedClient } from './channels.ts';
export type { SharedAddress } from './link.ts';

/**
 * How a page authenticates to a bridge: first with the pairing code, later with a token from that pairing.
 */
export type BridgePass = {
  readonly url: string;
  /** The name under which it was served, and the one it had requested; it requests the former again. */
  readonly served?: { readonly wanted: string; readonly name: string };
  readonly secret: { readonly kind: Secret; readonly value: string };
};

/** State of the connection to a bridge. */
export type ShareState =
  | { readonly kind: 'connecting' }
  /** Both sides have proven that they know the secret; the user still has to agree. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'serving'; readonly address: SharedAddress }
  /** The bridge is unreachable, and will be retried. `wasOpen`: there was a connection before. */
  | { readonly kind: 'waiting'; readonly wasOpen: boolean; readonly reason: string }
  /** Not retried. */
  | { readonly kind: 'ended'; readonly reason: string };

export type ShareOptions = Pick<ChannelOptions, 'openPort' | 'allowsUnsafe'> & {
  readonly pass: BridgePass;
  readonly name: string;
  readonly genesisHash: string;
  readonly tab: string;
  /**
   * Whether the user agrees to serve programs through this bridge. Called after the first proof with a code,
   * never with a token. `acceptFirst`: the bridge was started for automation.
   */
  agree(acceptFirst: boolean): Promise<boolean>;
  /** Stores the credentials for the next connection; null to delete them. */
  keep(pass: BridgePass | null): void;
  onState(state: ShareState): void;
  onClients(clients: readonly SharedClient[]): void;
};

export type Share = Pick<BridgeLink, 'disconnect'> & {
  /** Closes the connection. `forget`: a later visit does not reconnect automatically. */
  close(forget: boolean): void;
};

const firstDelayMs = 250;
const maxDelayMs = 5000;
const ends: ReadonlySet<number> = new Set(Object.values(bridgeCloseCodes));

/**
 * Serves programs through a bridge. Reconnects when the connection is lost, unless it was closed with one of
 * `bridgeCloseCodes`.
 */
export const keepShared = (options: ShareOptions): Share => {
  let { pass } = options;
  let link: BridgeLink | null = null;
  let delayMs = firstDelayMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let wasOpen = false;
  const setState = (state: ShareState): void => {
    if (!isOver) options.onState(state);
  };
  const agree = async (token: string, acceptFirst: boolean): Promise<boolean> => {
    const isPaired = pass.secret.kind === 'token';
    if (!isPaired) setState({ kind: 'asking' });
    if (!isPaired && !(await options.agree(acceptFirst))) return false;
    pass = { ...pass, secret: { kind: 'token', value: token } };
    if (!isOver) options.keep(pass);
    return !isOver;
  };
  const over = (reason: string): void => {
    setState({ kind: 'ended', reason });
    isOver = true;
    clearTimeout(timer);
  };
  const connect = (): void => {
    const { name: wanted } = options;
    link = openBridgeLink({
      ...options,
      ...pass,
      name: pass.served?.wanted === wanted ? pass.served.name : wanted,
      agree: ({ token, acceptFirst }) => agree(token, acceptFirst),
      onServing: (address) => {
        wasOpen = true;
        pass = { ...pass, served: { wanted, name: address.name } };
        if (!isOver) options.keep(pass);
        delayMs = firstDelayMs;
        setState({ kind: 'serving', address });
      },
      onEnd: (code, reason) => {
        if (isOver) return;
        if (ends.has(code)) {
          options.keep(null);
          return over(reason);
        }
        setState({ kind: 'waiting', wasOpen, reason });
        timer = setTimeout(connect, delayMs);
        delayMs = Math.min(2 * delayMs, maxDelayMs);
      },
    });
  };
  setState({ kind: 'connecting' });
  connect();
  return {
    disconnect: (id) => link?.disconnect(id),
    close: (forget) => {
      if (isOver) return;
      if (forget) options.keep(null);
      isOver = true;
      clearTimeout(timer);
      link?.close(forget);
    },
  };
};
