import { expect, test } from 'vitest';
import { bytesToBlockHash } from '../../../codec/identity.ts';
import { rates } from './gossip.ts';
import { loadMachineModule } from './machine.ts';
import { decodeMessage, encodeMessage, type Message, precommit, prevote, votePayload } from './messages.ts';
import { createPeer, keyOf, simpleCrypto } from './peer.fixture.ts';

const hashOf = (number: number) => bytesToBlockHash(new Uint8Array(32).fill(number));
const genesis = { hash: hashOf(0), number: 0, parent: hashOf(0) };
const block = { hash: hashOf(1), number: 1, parent: genesis.hash };

/** The votes of the others for the block, who need no vote of ours. */
const catchUp = (round: bigint): Message => {
  const votes = (kind: typeof prevote | typeof precommit) =>
    [1, 2, 3].map((index) => ({
      target: block,
      voter: keyOf(index),
      signature: simpleCrypto.ed25519Sign(keyOf(index), votePayload({ kind, target: block }, round, 0n)),
    }));
  const all = { prevotes: votes(prevote), precommits: votes(precommit) };
  return { type: 'catch-up', setId: 0n, catchUp: { round, base: genesis, ...all } };
};

/** A voter in its first round, whose peers are the test's. */
const startVoter = async () => {
  const rated: [peer: string, change: number][] = [];
  const sent: string[] = [];
  let receive = (_peer: string, _bytes: Uint8Array): void => undefined;
  const peer = createPeer(
    {
      module: await loadMachineModule(),
      ...{ genesis, voters: 4, gossipMs: 50, now: () => 0, schedule: () => () => undefined },
      disk: async () => undefined,
      link: () => ({
        broadcast: () => undefined,
        send: (to, bytes) => {
          const message = decodeMessage(bytes);
          if (message?.type === 'catch-up-request') sent.push(`${to}: ${message.round}`);
        },
        rate: (from, change) => void rated.push([from, change]),
        onMessage: (listener) => {
          receive = listener;
          return () => undefined;
        },
        onPeer: () => () => undefined,
        onLeave: () => () => undefined,
      }),
      onFinal: () => undefined,
      onError: (_index, error) => {
        throw error;
      },
    },
    0,
  );
  peer.start();
  const say = (from: string, message: Message): void => receive(from, encodeMessage(message));
  const isAt = (from: string, round: bigint): void =>
    say(from, { type: 'neighbor', round, setId: 0n, height: 0 });
  return { peer, rated, sent, say, isAt };
};

test('a reply that waits for its blocks until the voter is as far costs nothing, and its sender may be asked again', async () => {
  const { peer, rated, sent, say, isAt } = await startVoter();
  isAt('first', 4n);
  say('first', catchUp(3n));
  isAt('second', 5n);
  // The first reply ends round 3, so the voter is in round 4 when it looks at the second one.
  say('second', catchUp(4n));
  expect(sent).toEqual(['first: 3', 'second: 4']);
  peer.import(block);
  await expect
    .poll(() => {
      isAt('second', 9n);
      return sent.slice(2);
    })
    .toEqual(['second: 8']);
  const good = [rates.neighbor, rates.catchUp];
  expect(rated.filter(([from]) => from === 'first').map(([, change]) => change)).toEqual(good);
  expect(rated).toContainEqual(['second', rates.catchUp]);
  expect(rated).not.toContainEqual(['second', rates.invalidCatchUp]);
  peer.crash();
});
