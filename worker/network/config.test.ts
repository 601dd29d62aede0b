import { expect, test } from 'vitest';
import type { NetworkConfig } from '../../src/protocol/network.ts';
import { checkNetworkConfig } from './config.ts';

test('what takes part in a network has only known fields of the right types', () => {
  for (const config of [
    {},
    { bootNodes: [], reservedNodes: ['a'], publicAddresses: ['b'], reservedOnly: true, name: 'c' },
    { inPeers: 0, inPeersLight: 0, outPeers: 0, maxParallelDownloads: 1, maxBlocksPerRequest: 1 },
    { inPeers: undefined },
  ])
    checkNetworkConfig(config as NetworkConfig);
});

test.each([
  [{ bootNode: ['x'] }, /^network.bootNode: no such option; expected one of bootNodes, /],
  [{ bootNodes: 'x' }, /^network.bootNodes: expected a list of texts$/],
  [{ reservedNodes: [1] }, /^network.reservedNodes: expected/],
  [{ inPeers: '4' }, /^network.inPeers: expected a whole number of 0 or more$/],
  [{ outPeers: -1 }, /^network.outPeers/],
  [{ maxBlocksPerRequest: 0 }, /of 1 or more$/],
  [{ name: 5 }, /^network.name: expected a text$/],
  [{ reservedOnly: 'no' }, /true or false$/],
])('%j is refused', (config, message) => {
  expect(() => checkNetworkConfig(config as unknown as NetworkConfig)).toThrow(
    expect.objectContaining({ code: 'BadConfig', message: expect.stringMatching(message) }),
  );
});
