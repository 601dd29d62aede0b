import { untrack } from 'svelte';
import { createConnection } from '../../../src/connection.ts';
import { type OfferUser, offerNode } from '../../../src/offer/offer-node.ts';
import type { UiNode } from '../../node/client/ui-node.ts';
import type { PageContext } from '../../node/page-context.ts';
import type { Session } from '../../node/session/session.svelte.ts';

type Offered = Parameters<typeof offerNode>[0];

const toOffered = ({ info, openPort, status }: UiNode): Offered => ({
  info,
  openPort,
  connect: async (choice) => createConnection(await openPort(choice)),
  status,
});

/**
 * The offer of this page's chain to scripts and other pages. It outlives the node, which restarts with another
 * clock or when another tab is closed, and ends with the chain. Never on at the start.
 */
export class NodeOffer {
  isOn = $state(false);
  /** Whether its users may make unsafe calls. A change disconnects them, so that they reconnect with their rights. */
  unsafe = $state(false);
  users = $state.raw<readonly OfferUser[]>([]);

  constructor(session: Pick<Session, 'node' | 'entry'>) {
    $effect.root(() => {
      const node = $derived(session.node);
      const chain = $derived(session.entry?.id);
      let offered = session.entry?.id;
      $effect(() => {
        if (chain !== offered) this.isOn = this.unsafe = false;
        offered = chain;
        if (!this.isOn || node === null) return;
        return offerNode(toOffered(node), {
          name: untrack(() => session.entry?.name ?? node.info.chainName),
          unsafe: this.unsafe,
          onUsers: (users) => {
            this.users = users;
          },
        });
      });
    });
  }
}

const offers = new WeakMap<object, NodeOffer>();

/** Null for a node that is not this page's own: its page decides who else gets it. */
export const nodeOffer = ({ node, session }: Pick<PageContext, 'node' | 'session'>): NodeOffer | null => {
  if (session === null || node.remote !== null) return null;
  const offer = offers.get(session) ?? new NodeOffer(session);
  offers.set(session, offer);
  return offer;
};
