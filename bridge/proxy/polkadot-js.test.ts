import { ApiPromise, WsProvider } from '@polkadot/api';
import { expect, it } from 'vitest';
import { transfer } from '../../test/clients/polkadot-script.ts';
import { parseProxyArguments } from '../cli/proxy-arguments.ts';
import { serving } from '../clients/serving.fixture.ts';
import { openServers } from '../server/open-servers.ts';
import { readAllowList } from './allow-list.ts';
import { createProxyPorts } from './proxy-ports.ts';

type ApiOptions = NonNullable<Parameters<typeof ApiPromise.create>[0]>;

/** What a public node allows a wallet to call. */
const wallet = `
chain_*
system_chain
system_properties
system_accountNextIndex
state_getMetadata
state_getRuntimeVersion
state_subscribeRuntimeVersion
state_call
state_getStorage
state_queryStorageAt
state_subscribeStorage
payment_queryInfo
author_submitAndWatchExtrinsic
`;

const node = serving('--dev', '--seal', 'instant');

it('polkadot-js sends a transfer through a proxy, and sees only the methods of the allow-list', async () => {
  const { ws } = node().ready;
  const list = readAllowList('wallet.txt', wallet);
  const args = ['--allow', 'wallet.txt', '--to', ws, '--ws-port=0', '--rpc-port=0'];
  const door = await openServers(createProxyPorts(ws, list), parseProxyArguments(args));
  const provider = new WsProvider(door.ws);
  const api = await ApiPromise.create({ provider, noInitWarn: true } as unknown as ApiOptions);
  try {
    expect(api.genesisHash.toHex()).toBe(node().ready.genesisHash);
    const { statuses, events } = await transfer(api, '1000000000000');
    expect(statuses.at(-1)).toBe('Finalized');
    expect(events).toEqual(expect.arrayContaining(['balances.Transfer']));
    const { methods } = (await provider.send('rpc_methods', [])) as { readonly methods: readonly string[] };
    expect(methods.filter((method) => !list.allows(method))).toEqual([]);
    expect(methods).toContain('author_submitAndWatchExtrinsic');
    await expect(provider.send('author_insertKey', [])).rejects.toThrow('-32601');
  } finally {
    await api.disconnect();
    await door.close();
  }
}, 60_000);
