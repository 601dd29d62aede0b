import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevNode, rejection, startDevNode } from '../rigs/dev-node.ts';

const byVotes = { finality: { kind: 'grandpa' } } as const;

let dev: DevNode;
const join = () => dev.call('dev_network', { join: {} });
const start = async (changes: Parameters<typeof startDevNode>[0] = {}): Promise<void> => {
  dev = await startDevNode(changes);
};
afterEach(() => dev.stop());

describe('a node that takes part in a network', () => {
  beforeEach(async () => {
    await start({ changes: { ...byVotes, clock: { startMs: Date.UTC(2029, 0, 1) } } });
    await dev.call('dev_newBlock', { count: 6 });
    await expect.poll(() => dev.finalized().number).toBeGreaterThan(1);
    await dev.call('dev_snapshot', 'before');
    expect(await join()).toMatchObject({ joined: true, peers: [], addresses: [] });
  });

  const account = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
  it.each<[string, unknown[]]>([
    ['dev_setStorage', [[['0x01', '0x02']]]],
    ['dev_timeTravel', ['2031-01-01T00:00:00Z']],
    ['dev_restore', ['before']],
    ['dev_reset', []],
    ['dev_impersonate', [account]],
    ['dev_finalise', []],
    ['dev_setFinality', ['instant']],
    ['dev_setFinality', [{ kind: 'delayed', ms: 5 }]],
    ['dev_setHead', [1]],
    ['dev_newBlock', [{ finalize: true }]],
    ['dev_network', [{ join: {} }]],
  ])('refuses %s %j, and does it again when it has left', async (method, params) => {
    const before = dev.best();
    expect(await rejection(dev.call(method, ...params))).toMatchObject({ data: 'InNetwork' });
    expect(dev.best()).toEqual(before);
    expect(await dev.call('dev_network', { leave: true })).toMatchObject({ joined: false });
    await dev.call(method, ...params);
  });

  it('still refuses it after a second request to join, which is refused as well', async () => {
    expect(await rejection(join())).toMatchObject({ data: 'InNetwork' });
    expect(await rejection(dev.call('dev_setStorage', [['0x01', '0x02']]))).toMatchObject({
      data: 'InNetwork',
    });
  });

  it('seals blocks, moves its head above finality, and takes GRANDPA as its finality mode', async () => {
    expect(await dev.call('dev_status')).toMatchObject({ finality: { kind: 'grandpa' } });
    await dev.call('dev_setSealMode', 'manual');
    await dev.call('dev_newBlock', { count: 3 });
    const { number } = dev.finalized();
    await dev.call('dev_setHead', number + 1);
    expect(dev.best().number).toBe(number + 1);
    await dev.call('dev_setFinality', 'grandpa');
  });
});

it('no block is sealed ahead of the clock, and its slot is not lost', async () => {
  // A minute before the clock of the node.
  await start({ changes: { ...byVotes, clock: { startMs: Date.UTC(2030, 0, 1) - 60_000 } } });
  await join();
  await dev.call('dev_newBlock');
  const refused = await rejection(dev.call('dev_newBlock', { count: 100 }));
  expect(refused).toMatchObject({ data: 'FutureBlock', message: expect.stringMatching(/due before \d{4}-/) });
  const { number } = dev.best();
  expect(await rejection(dev.call('dev_newBlock'))).toMatchObject({ data: 'FutureBlock' });
  expect(dev.best().number).toBe(number);
  await dev.call('dev_network', { leave: true });
  await dev.call('dev_newBlock');
  expect(dev.best().number).toBe(number + 1);
});

it('a chain that others could not follow cannot join, for reasons that are all named', async () => {
  await start({ changes: { finality: { kind: 'instant' } } });
  await dev.call('dev_newBlock');
  await dev.call('dev_setStorage', [['0x01', '0x02']]);
  await dev.call('dev_impersonate', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY');
  await dev.call('dev_timeTravel', new Date(Date.UTC(2060, 0, 1)).toISOString());
  await dev.call('dev_newBlock');
  const { message } = (await rejection(join())) as Error;
  for (const part of ['edited', 'mock signatures', 'ahead of the clock', 'finality mode is instant'])
    expect(message).toContain(part);
  expect(await dev.call('dev_network')).toMatchObject({ joined: false });
  await dev.call('dev_finalise');
});

it('wrong changes of the network are refused', async () => {
  await start({ changes: byVotes });
  for (const change of [
    1,
    {},
    { join: {}, leave: true },
    { leave: false },
    { join: { bootNodes: 'x' } },
    { dial: 1 },
  ])
    expect(await rejection(dev.call('dev_network', change)), JSON.stringify(change)).toMatchObject({
      code: -32602,
    });
  expect(await rejection(dev.call('dev_network', { dial: '/ip4/1.2.3.4/tcp/1' }))).toMatchObject({
    data: 'Unsupported',
  });
  expect(await rejection(dev.call('dev_network', { join: { bootNodes: ['nowhere'] } }))).toMatchObject({
    data: 'BadConfig',
  });
  await join();
  expect(await rejection(dev.call('dev_network', { dial: 'nowhere' }))).toMatchObject({ data: 'BadConfig' });
});

it('requests to join and to leave at the same time are done one after another', async () => {
  await start({ changes: byVotes });
  const leave = () => dev.call('dev_network', { leave: true });
  const refused = rejection(Promise.all([join(), join()]));
  expect(await refused).toMatchObject({ data: 'InNetwork' });
  await leave();
  for (let count = 0; count < 3; count++) {
    const [, last] = await Promise.all([join(), leave()]);
    expect(last).toMatchObject({ joined: false });
    expect(await dev.call('dev_network')).toMatchObject({ joined: false });
    await dev.call('dev_setFinality', 'manual');
    await dev.call('dev_setFinality', 'grandpa');
  }
});
