import { afterEach, beforeEach, expect, test } from 'vitest';
import { maxHandshakes, maxHandshakesPerHost } from '../../worker/network/connecting.ts';
import { connect } from '../../worker/network/transport/connect.ts';
import { baseOptions, keyOf } from '../../worker/network/transport/pair.fixture.ts';
import { portCarrier } from '../../worker/network/transport/port.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { meet } from './made-up-peer.ts';

let dev: DevNode;
beforeEach(async () => {
  dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
});
// Throws if the node reported an error.
afterEach(() => dev.stop());

/** A carrier to the node, from this host. */
const dialFrom = async (host: string) => {
  const { port1, port2 } = new MessageChannel();
  await dev.node.parts.network.accept(port1 as unknown as MessagePort, host);
  return portCarrier(port2 as unknown as MessagePort);
};

/** The first reason why a connection is over, if the other side says one. */
const endOf = async (host: string): Promise<string> => {
  const carrier = await dialFrom(host);
  return new Promise((close) => carrier.listen({ close, bytes: () => undefined, drain: () => undefined }));
};

test('500 nodes that dial at once: some connect, the rest is refused at once, and a peer is served first', async () => {
  const peer = await meet(dev.node);
  await peer.ready;
  const events: string[] = [];
  const dials = Array.from({ length: 500 }, async (_, nth) => {
    const carrier = await dialFrom(`10.0.0.${nth % 50}`);
    const options = { ...baseOptions, isDialer: true, key: keyOf(nth % 256) };
    const how = await connect(carrier, options).then(
      (connection) => {
        connection.close('The test is over');
        return 'connected';
      },
      () => 'refused',
    );
    events.push(how);
  });
  for (let max = 1; max <= 5; max++) {
    await peer.request({ from: 0, max });
    events.push('served');
  }
  await Promise.all(dials);
  const count = (what: string): number => events.filter((event) => event === what).length;
  expect(count('connected')).toBeGreaterThan(0);
  expect(count('connected') + count('refused')).toBe(500);
  expect(count('refused')).toBeGreaterThan(0);
  expect(events.lastIndexOf('served')).toBeLessThan(events.lastIndexOf('connected'));
  peer.leave();
});

test('no more may connect at the same time than there is room for, from wherever', async () => {
  const ends: string[] = [];
  const silent = await Promise.all(
    Array.from({ length: maxHandshakes }, (_, nth) => dialFrom(`10.0.1.${nth}`)),
  );
  for (const carrier of silent)
    carrier.listen({ close: () => ends.push('silent'), bytes: () => undefined, drain: () => undefined });
  await endOf('10.0.2.1');
  // Those that came before have more time.
  expect(ends).toEqual([]);
  for (const carrier of silent) carrier.close();
});

test('of one host few may connect at the same time, of others as many, and all again when these are over', async () => {
  const silent = await Promise.all(Array.from({ length: maxHandshakesPerHost }, () => dialFrom('10.0.0.1')));
  expect(await endOf('10.0.0.1')).toBe('The other side has closed the connection');
  const near = { ...baseOptions, isDialer: true, key: keyOf(1) };
  (await connect(await dialFrom('10.0.0.2'), near)).close('The test is over');
  for (const carrier of silent) carrier.close();
  await expect
    .poll(async () =>
      connect(await dialFrom('10.0.0.1'), near).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});
