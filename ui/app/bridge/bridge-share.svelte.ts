import { isBridgeUrl } from '../../../src/bridge/bridge-url.ts';
import type { BridgePass, SharedClient, ShareState } from '../../../src/bridge/keep-shared.ts';
import { claimTab } from '../../../src/bridge/tab-id.ts';
import { dropPass, type KeptPass, keepPass, readPass } from '../../node/bridge-pass.ts';
import type { PageContext } from '../../node/page-context.ts';
import { blockedReason } from './blocked.ts';
import { type Relay, startRelay } from './relay.ts';

type Context = Pick<PageContext, 'node' | 'session'>;

/** Shares this tab's chain with programs on this machine. */
export class BridgeShare {
  state = $state.raw<ShareState>({ kind: 'connecting' });
  clients = $state.raw<readonly SharedClient[]>([]);
  #unsafe = $state(false);
  /** Why the browser may block the connection; null if no reason is known. */
  hint = $state<string | null>(null);
  /** Agrees to the bridge's request to connect; null while the user need not answer one. */
  agree = $state.raw<(() => void) | null>(null);
  /** Whether the chain was shared since the page was loaded. */
  wasServing = false;
  #pass: KeptPass;
  #relay: Relay | null = null;
  #isOver = false;

  /** `onAgreed` is called when the user has agreed to serve programs through this bridge. */
  constructor(context: Context, pass: KeptPass, ended: AbortSignal, onAgreed: () => void) {
    this.#pass = pass;
    if (pass.secret.kind === 'token') this.#unsafe = pass.unsafe;
    if (isBridgeUrl(pass.url)) void this.#begin(context, ended, onAgreed);
    else this.#fail(`${pass.url} is not the address of a bridge on this computer`);
  }

  get url(): string {
    return this.#pass.url;
  }

  /** Whether clients may make unsafe calls. */
  get unsafe(): boolean {
    return this.#unsafe;
  }

  /** Disconnects the clients, so that they reconnect with their new rights. */
  set unsafe(allowed: boolean) {
    if (allowed === this.#unsafe) return;
    this.#unsafe = allowed;
    this.#relay?.allow(allowed);
    if (this.state.kind === 'asking') return;
    this.#keep(this.#pass);
    this.#relay?.disconnect();
  }

  disconnectClient(id: number): void {
    this.#relay?.disconnect(id);
  }

  /** Declines or disconnects: a later visit does not reconnect. */
  end(): void {
    if (this.#isOver) return;
    this.#relay?.close(true);
    this.#fail('You disconnected it');
  }

  #fail(reason: string): void {
    this.#keep(null);
    this.#isOver = true;
    this.state = { kind: 'ended', reason };
    this.clients = [];
  }

  #keep(now: (BridgePass & Pick<KeptPass, 'tab'>) | null): void {
    if (this.#isOver) return;
    if (now?.secret.kind !== this.#pass.secret.kind) dropPass(this.#pass);
    if (now === null) return;
    this.#pass = { ...this.#pass, ...now, unsafe: this.#unsafe };
    keepPass(this.#pass);
  }

  async #begin({ node, session }: Context, ended: AbortSignal, onAgreed: () => void): Promise<void> {
    const tab = await claimTab();
    if (ended.aborted || this.#isOver) return;
    const pass = this.#pass;
    if (pass.secret.kind === 'token' && pass.tab !== tab)
      return this.#fail('This tab is a duplicate. Only the tab that you paired is connected');
    const options = {
      pass,
      name: session?.entry?.name ?? node.info.chainName,
      genesisHash: node.info.genesisHash,
      tab,
      openPort: node.openPort,
      agree: async (acceptFirst: boolean) => {
        // An address alone neither connects nor allows anything: its bridge must have been started for that.
        if (acceptFirst && pass.accept) this.unsafe = pass.unsafe;
        else await new Promise<void>((resolve) => (this.agree = resolve));
        this.agree = null;
        onAgreed();
        return true;
      },
      keep: (now: BridgePass | null) => this.#keep(now && { ...now, tab }),
      onState: (state: ShareState) => {
        if (this.#isOver) return;
        this.state = state;
        this.wasServing ||= state.kind === 'serving';
        // While the browser asks for a permission, the first connection neither opens nor fails.
        if (state.kind === 'connecting' || (state.kind === 'waiting' && !state.wasOpen)) void this.#explain();
        else this.hint = null;
      },
      onClients: (clients: readonly SharedClient[]) => (this.clients = clients),
    };
    this.#relay = startRelay(options, this.#unsafe);
    ended.addEventListener('abort', () => this.#relay?.close(false));
  }

  async #explain(): Promise<void> {
    const state = this.state;
    const hint = await blockedReason();
    if (this.state === state) this.hint = hint;
  }
}

/** The bridges of this tab: the one that it is paired with, and the one of an address that was opened later. */
export class Bridges {
  /** Null if there is none. */
  paired = $state.raw<BridgeShare | null>(null);
  /** Until its user has agreed, or it is dismissed; null otherwise. */
  asked = $state.raw<BridgeShare | null>(null);
  #create: (pass: KeptPass) => BridgeShare;

  constructor(context: Context, ended: AbortSignal) {
    this.#create = (pass) => {
      const share: BridgeShare = new BridgeShare(context, pass, ended, () => this.#replace(share));
      return share;
    };
  }

  /** Connects with the passes of this tab. The paired bridge stays until the user agrees to another. */
  open(token: KeptPass | null, code: KeptPass | null): void {
    if (token !== null) this.paired ??= this.#create(token);
    if (code === null) return;
    this.asked?.end();
    this.asked = this.#create(code);
  }

  /** Ends the request of the later address, or else forgets the bridge. Returns whether none is left. */
  dismiss(): boolean {
    const share = this.asked ?? this.paired;
    share?.end();
    if (this.asked === null) this.paired = null;
    this.asked = null;
    return this.paired === null && readPass() === null;
  }

  #replace(share: BridgeShare): void {
    if (this.paired === share) return;
    this.paired?.end();
    [this.paired, this.asked] = [share, null];
  }
}
