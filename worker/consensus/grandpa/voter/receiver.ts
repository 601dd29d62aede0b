import type { CatchUps } from './catch-ups.ts';
import { createInbox, type InboxDeps } from './inbox.ts';
import { type Content, encodeMessage } from './messages.ts';
import type { Machine } from './module.ts';

/** Whose commits and replies to requests the machine has not judged yet, oldest first. */
export type Senders = { readonly commits: string[]; readonly catchUps: string[] };

type Deps = Omit<InboxDeps, 'take'> & {
  readonly machine: Pick<Machine, 'vote' | 'commit' | 'catchUp'>;
  readonly senders: Senders;
  readonly catchUps: CatchUps;
  readonly isOver: () => boolean;
  /** The machine has new input. */
  readonly onInput: () => void;
};

/** Receives the messages of other voters, and passes the valid ones to the machine. */
export const startReceiver = (deps: Deps) => {
  const { gossip, machine, rounds, senders, catchUps, peers } = deps;
  const take = (message: Content, peer: string): void => {
    if (message.type === 'vote') {
      const isNew = rounds.add(message.round, message.vote);
      rounds.noteHolder(message.round, message.vote, peer);
      // Also a third vote of an equivocator, because earlier ones may be below the base of the round and not
      // count.
      machine.vote(message.round, message.vote);
      // Peers without a link to the voter get it from here.
      if (isNew) gossip.broadcast(encodeMessage(message), peer);
    } else if (message.type === 'commit') {
      senders.commits.push(peer);
      machine.commit(message.round, message.commit);
    } else {
      senders.catchUps.push(peer);
      machine.catchUp(message.catchUp);
    }
    deps.onInput();
  };
  const inbox = createInbox({ ...deps, take });
  const ends = [
    gossip.onMessage((peer, bytes) => {
      if (!deps.isOver()) inbox.receive(peer, bytes);
    }),
    gossip.onPeer(deps.greet),
    gossip.onLeave((peer) => {
      peers.forget(peer);
      catchUps.forget(peer);
    }),
  ];
  return {
    retry: inbox.retry,
    close: (): void => {
      for (const end of ends) end();
      catchUps.close();
    },
  };
};
