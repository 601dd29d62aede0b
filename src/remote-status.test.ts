import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DevNode, startDevNode } from '../test/rigs/dev-node.ts';
import { readStatus } from './remote-status.ts';

let dev: DevNode;
beforeAll(async () => {
  dev = await startDevNode();
});
afterAll(() => dev.stop());

it('returns the status of a node of this version as it is, and nothing that is not one', async () => {
  const status = await dev.call<Readonly<Record<string, unknown>>>('dev_status');
  expect(readStatus(status)).toBe(status);
  for (const value of [null, 'text', 7, [], {}])
    expect(() => readStatus(value)).toThrow(/does not read \(`chainName`\)/);
  for (const name of Object.keys(status)) {
    const { [name]: _, ...rest } = status;
    expect(() => readStatus(rest)).toThrow(`\`${name}\``);
  }
  for (const [name, value] of [
    ['seal', {}],
    ['seal', { kind: 'interval' }],
    ['bestNumber', -5],
    ['bestNumber', '7'],
    ['finalizedNumber', Number.NaN],
    ['clockMovedToMs', 1e300],
    ['clockMovedToMs', 8.64e15 + 1],
    ['chainName', 'A'.repeat(1_000_000)],
    ['edited', [5]],
    ['storageFault', 'full'],
  ] as const)
    expect(() => readStatus({ ...status, [name]: value })).toThrow(`\`${name}\``);
});
