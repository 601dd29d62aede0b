import { expect, test } from 'vitest';
import { connectSiblings, type Gossip } from './gossip.ts';

const bytes = Uint8Array.of(1);

/** Other nodes, with the messages that reach them. */
const createOutside = () => {
  const sent: string[] = [];
  const listeners = new Set<(peer: string, bytes: Uint8Array) => void>();
  const gossip: Gossip = {
    broadcast: (_bytes, from) => void sent.push(from === undefined ? 'all' : `all but ${from}`),
    send: (peer) => void sent.push(peer),
    rate: (peer, change) => void sent.push(`${peer} ${change}`),
    onMessage: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onPeer: () => () => undefined,
    onLeave: () => () => undefined,
  };
  const say = (peer: string): void => {
    for (const listener of listeners) listener(peer, bytes);
  };
  return { gossip, sent, say, listeners };
};

const open = (count: number) => {
  const outside = createOutside();
  const heard: string[][] = Array.from({ length: count }, () => []);
  const voters = connectSiblings(outside.gossip, count);
  const ends = voters.map(({ onMessage }, index) => onMessage((peer) => void heard[index]?.push(peer)));
  return { ...outside, heard, voters, ends };
};

test('siblings hear each other, never themselves, and not before the sender is done', async () => {
  const { voters, heard, sent } = open(3);
  voters[1]?.broadcast(bytes);
  expect(heard).toEqual([[], [], []]);
  await Promise.resolve();
  expect(heard).toEqual([['own voter 2'], [], ['own voter 2']]);
  voters[2]?.send('own voter 2', bytes);
  await Promise.resolve();
  expect(heard[1]).toEqual(['own voter 3']);
  expect(sent).toEqual([]);
  voters[0]?.broadcast(bytes, 'own voter 2');
  await Promise.resolve();
  expect(heard).toEqual([['own voter 2'], ['own voter 3'], ['own voter 2', 'own voter 1']]);
});

test('only the first one speaks with other nodes, and rates them', async () => {
  const { voters, heard, sent, say, ends, listeners } = open(2);
  for (const voter of voters) {
    voter.broadcast(bytes);
    voter.send('link 1', bytes);
    voter.rate('link 1', -5);
  }
  voters[0]?.broadcast(bytes, 'link 1');
  expect(sent).toEqual(['all', 'link 1', 'link 1 -5', 'all but link 1']);
  await Promise.resolve();
  say('link 1');
  expect(heard).toEqual([
    ['own voter 2', 'link 1'],
    ['own voter 1', 'own voter 1'],
  ]);
  for (const end of ends) end();
  expect(listeners.size).toBe(0);
});
