import { isBridgeUrl } from '../../src/bridge/bridge-url.ts';
import type { BridgePass, SharedClient, ShareState } from '../../src/bridge/keep-shared.ts';
import { claimTab } from '../../src/bridge/tab-id.ts';
import { type KeptPass, keepPass, readPass } from '../client/bridge-pass.ts';
import type { UiNode } from '../client/ui-node.ts';
import type { PageContext } from '../state/page-context.ts';
import { blockedReason } from './blocked.ts';
import { type Relay, startRelay } from './relay.ts';

/** Shares this tab's chain with programs on this machine. */
export class BridgeShare {
  state = $state.raw<ShareState>({ kind: 'connecting' });
  clients = $state.raw<readonly SharedClient[]>([]);
  #unsafe = $state(false);
  /** Why the browser may block the connection; null if no reason is known. */
  hint = $state<string | null>(null);
  #answer: ((agreed: boolean) => void) | null = null;
  #share: Relay | null = null;
  readonly url: string;

  constructor({ node, session }: Pick<PageContext, 'node' | 'session'>, pass: KeptPass, ended: AbortSignal) {
    this.url = pass.url;
    this.#unsafe = pass.unsafe;
    if (!isBridgeUrl(pass.url)) {
      keepPass(null);
      this.state = { kind: 'ended', reason: `${pass.url} is not the address of a bridge on this computer` };
      return;
    }
    void this.#begin(node, session?.entry?.name ?? node.info.chainName, pass, ended);
  }

  /** Whether clients may make unsafe calls. */
  get unsafe(): boolean {
    return this.#unsafe;
  }

  /** Disconnects the clients, so that they reconnect with their new rights. */
  set unsafe(allowed: boolean) {
    if (allowed === this.#unsafe) return;
    this.#unsafe = allowed;
    this.#share?.allow(allowed);
    if (this.state.kind === 'asking') return;
    keepUnsafe(allowed);
    this.#share?.disconnect();
  }

  /** Records the user's decision on the bridge's request to connect. */
  decide(agreed: boolean): void {
    this.#answer?.(agreed);
    this.#answer = null;
  }

  disconnectClient(id: number): void {
    this.#share?.disconnect(id);
  }

  end(): void {
    this.#share?.close(true);
    this.state = { kind: 'ended', reason: 'You disconnected it' };
    this.clients = [];
  }

  async #begin(node: UiNode, name: string, pass: KeptPass, ended: AbortSignal): Promise<void> {
    const { id: tab, isCopy } = await claimTab();
    if (ended.aborted) return;
    if (isCopy && pass.secret.kind === 'token') {
      keepPass(null);
      this.state = {
        kind: 'ended',
        reason: 'This tab is a duplicate. Only the tab that you paired is connected',
      };
      return;
    }
    let kept: KeptPass = pass;
    const options = {
      pass,
      name,
      genesisHash: node.info.genesisHash,
      tab,
      openPort: node.openPort,
      agree: (acceptFirst: boolean) => (pass.accept && acceptFirst ? Promise.resolve(true) : this.#ask()),
      keep: (now: BridgePass | null) => {
        kept = { ...kept, ...now, unsafe: this.#unsafe };
        keepPass(now === null ? null : kept);
      },
      onState: (state: ShareState) => {
        this.state = state;
        // While the browser asks for a permission, the first connection neither opens nor fails.
        if (state.kind === 'connecting' || (state.kind === 'waiting' && !state.wasOpen)) void this.#explain();
        else this.hint = null;
      },
      onClients: (clients: readonly SharedClient[]) => (this.clients = clients),
    };
    this.#share = startRelay(options, pass.unsafe);
    ended.addEventListener('abort', () => this.#share?.close(false));
  }

  #ask(): Promise<boolean> {
    return new Promise((resolve) => (this.#answer = resolve));
  }

  async #explain(): Promise<void> {
    const state = this.state;
    const hint = await blockedReason();
    if (this.state === state) this.hint = hint;
  }
}

const keepUnsafe = (unsafe: boolean): void => {
  const kept = readPass();
  if (kept !== null) keepPass({ ...kept, unsafe });
};
