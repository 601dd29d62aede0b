import { createConnection } from '../../src/connection.ts';
import { type OfferUser, offerNode } from '../../src/offer/offer-node.ts';
import type { UiNode } from '../client/ui-node.ts';
import type { PageContext } from '../state/page-context.ts';

type Offered = Parameters<typeof offerNode>[0];

const toOffered = ({ info, openPort, status }: UiNode): Offered => {
  // `offerNode` denies unsafe calls.
  const open: Offered['openPort'] = (choice) => openPort({ dialect: 'psp-6', denyUnsafe: false, ...choice });
  return { info, openPort: open, connect: async (choice) => createConnection(await open(choice)), status };
};

/** The offer of this page's node to scripts and other pages, until the chain is closed. Never on at the start. */
export class NodeOffer {
  #node: Offered;
  #name: string;
  #withdraw = $state.raw<(() => void) | null>(null);
  #unsafe = $state(false);
  users = $state.raw<readonly OfferUser[]>([]);

  constructor(node: UiNode, name: string, ended: AbortSignal) {
    this.#node = toOffered(node);
    this.#name = name;
    ended.addEventListener('abort', () => {
      this.isOn = false;
    });
  }

  get isOn(): boolean {
    return this.#withdraw !== null;
  }

  /** Turning it off disconnects its users. */
  set isOn(isOn: boolean) {
    this.#withdraw?.();
    this.#withdraw = isOn
      ? offerNode(this.#node, {
          name: this.#name,
          unsafe: this.#unsafe,
          onUsers: (users) => {
            this.users = users;
          },
        })
      : null;
  }

  /** Whether its users may make unsafe calls. */
  get unsafe(): boolean {
    return this.#unsafe;
  }

  /** Disconnects the users, so that they reconnect with their new rights. */
  set unsafe(allowed: boolean) {
    if (allowed === this.#unsafe) return;
    this.#unsafe = allowed;
    if (this.isOn) this.isOn = true;
  }
}

/** Null for a node that is not this page's own: its page decides who else gets it. */
export const nodeOffer = (context: PageContext): NodeOffer | null => {
  const { node, session } = context;
  if (session === null || node.remote !== null) return null;
  const name = session.entry?.name ?? node.info.chainName;
  return context.keep('offer', (ended) => new NodeOffer(node, name, ended));
};
