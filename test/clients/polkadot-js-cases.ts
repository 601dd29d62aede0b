import { expect } from 'vitest';
import { methodOf, type World } from './polkadot-js-world.ts';

const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const hex = expect.stringMatching(/^0x[0-9a-f]*$/);
const header = expect.objectContaining({ number: expect.any(Number), parentHash: hash });
const version = expect.objectContaining({ specName: 'tabnode', specVersion: 101 });
const list = expect.any(Array);
const number = expect.any(Number);

/** The arguments of a method, and the shape of its decoded result. */
type Case = readonly [ask: (world: World) => Promise<unknown>, expected: unknown];
const plain = (name: string, expected: unknown, ...params: unknown[]): readonly [string, Case] => [
  name,
  [({ call }) => call(name, ...params), expected],
];
const feed = (name: string, expected: unknown): readonly [string, Case] => [
  name,
  [({ follow }) => follow(name), expected],
];
/** Expects the node's own error code and message. */
const fails = (
  name: string,
  code: number,
  message: string,
  ...params: unknown[]
): readonly [string, Case] => [
  name,
  [
    ({ call }) =>
      call(name, ...params).catch((error: { code?: number; message?: string }) => ({
        code: error.code,
        message: error.message,
      })),
    { code, message: `${code}: ${message}` },
  ],
];

/** An account without a contract. */
const someone = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
/** A child trie that does not exist. */
const child = '0x3a6368696c645f73746f726167653a64656661756c743a01';
const keyed = (name: string, expected: unknown): readonly [string, Case] => [
  name,
  [({ call, accountKey }) => call(name, accountKey), expected],
];
const peerId = expect.stringMatching(/^12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$/);
const somePeer = '12D3KooWNHfMAXFJYeh5tF7Z1C4xJTHd5r2Y7gG7cTLeyDTiZuLo';
/** Errors of pallet-contracts by index: ContractNotFound and CodeRejected. */
const notFound = '0x06000000';
const codeRejected = '0x1c000000';
const contractRefusal = (error: string): unknown =>
  expect.objectContaining({ result: { err: { module: { index: number, error } } } });
const systemPrefix = '0x26aa394eea5630e07c48ae0c9558cef7';

/** Keyed by method name. */
export const cases: ReadonlyMap<string, Case> = new Map([
  ['author_hasKey', [({ call, publicKey }) => call('author_hasKey', publicKey, 'babe'), true]],
  [
    'author_hasSessionKeys',
    [async ({ call }) => call('author_hasSessionKeys', await call('author_rotateKeys')), true],
  ],
  [
    'author_insertKey',
    [({ call, publicKey }) => call('author_insertKey', 'acco', '//Alice', publicKey), '0x'],
  ],
  plain('author_pendingExtrinsics', list),
  plain('author_removeExtrinsic', [], [{ hash: `0x${'12'.repeat(32)}` }]),
  plain('author_rotateKeys', hex),
  ['author_submitExtrinsic', [async ({ call, sign }) => call('author_submitExtrinsic', await sign()), hash]],
  [
    'author_submitAndWatchExtrinsic',
    [async ({ follow, sign }) => follow('author_submitAndWatchExtrinsic', await sign()), { ready: null }],
  ],
  plain('babe_epochAuthorship', expect.any(Object)),
  plain('chain_getBlock', expect.objectContaining({ block: expect.objectContaining({ header }) })),
  plain('chain_getBlockHash', hash, 0),
  plain('chain_getFinalizedHead', hash),
  plain('chain_getHeader', header),
  feed('chain_subscribeAllHeads', header),
  feed('chain_subscribeFinalizedHeads', header),
  feed('chain_subscribeNewHeads', header),
  plain('childstate_getKeys', [], child, '0x'),
  plain('childstate_getKeysPaged', [], child, '0x', 10),
  plain('childstate_getStorage', null, child, '0x01'),
  plain('childstate_getStorageEntries', [null], child, ['0x01']),
  plain('childstate_getStorageHash', null, child, '0x01'),
  plain('childstate_getStorageSize', null, child, '0x01'),
  plain('engine_createBlock', expect.objectContaining({ hash }), true, true),
  [
    'engine_finalizeBlock',
    [
      async ({ call }) => {
        const { hash: block } = (await call('engine_createBlock', true, false)) as { hash: string };
        // Instant finality has finalized it already.
        return call('engine_finalizeBlock', block).catch((error: { code?: unknown }) => error.code === 14000);
      },
      true,
    ],
  ],
  plain('offchain_localStorageClear', null, 'PERSISTENT', '0x04'),
  plain('offchain_localStorageGet', null, 'PERSISTENT', '0x01'),
  plain('offchain_localStorageSet', null, 'PERSISTENT', '0x02', '0x03'),
  [
    'payment_queryInfo',
    [
      // Raw, because polkadot-js decodes the weight as one number, as it was before weights had two parts.
      async ({ api, sign }) => methodOf(api, 'payment_queryInfo').raw(await sign()),
      expect.objectContaining({ class: 'normal', partialFee: expect.stringMatching(/^\d+$/) }),
    ],
  ],
  [
    'payment_queryFeeDetails',
    [
      async ({ call, sign }) => call('payment_queryFeeDetails', await sign()),
      expect.objectContaining({ inclusionFee: expect.any(Object) }),
    ],
  ],
  plain('rpc_methods', expect.objectContaining({ methods: expect.arrayContaining(['rpc_methods']) })),
  plain('state_call', hex, 'Core_version', '0x'),
  plain('state_getChildReadProof', expect.objectContaining({ at: hash }), child, ['0x01']),
  plain('state_getKeys', list, systemPrefix),
  plain('state_getKeysPaged', expect.arrayContaining([hex]), systemPrefix, 10),
  plain('state_getMetadata', expect.objectContaining({ magicNumber: number })),
  plain('state_getPairs', list, systemPrefix),
  [
    'state_getReadProof',
    [
      ({ call, accountKey }) => call('state_getReadProof', [accountKey]),
      expect.objectContaining({ at: hash }),
    ],
  ],
  plain('state_getRuntimeVersion', version),
  keyed('state_getStorage', hex),
  keyed('state_getStorageHash', hash),
  keyed('state_getStorageSize', number),
  [
    'state_queryStorage',
    [({ api, call, accountKey }) => call('state_queryStorage', [accountKey], api.genesisHash), list],
  ],
  ['state_queryStorageAt', [({ call, accountKey }) => call('state_queryStorageAt', [accountKey]), list]],
  feed('state_subscribeRuntimeVersion', version),
  [
    'state_subscribeStorage',
    [({ follow, accountKey }) => follow('state_subscribeStorage', [accountKey]), list],
  ],
  [
    'state_traceBlock',
    [
      async ({ call }) => call('state_traceBlock', await call('chain_getBlockHash'), 'state', '3a', 'Put'),
      { blockTrace: expect.objectContaining({ events: list, spans: list, tracingTargets: 'state' }) },
    ],
  ],
  plain('state_trieMigrationStatus', { topRemainingToMigrate: 0, childRemainingToMigrate: 0 }),
  ['system_accountNextIndex', [({ call, address }) => call('system_accountNextIndex', address), number]],
  plain('system_chain', 'Development'),
  plain('system_chainType', { development: null }),
  plain('system_health', expect.objectContaining({ peers: 0 })),
  plain('system_name', 'Tabnode'),
  plain('system_nodeRoles', list),
  plain('system_peers', []),
  plain('system_properties', expect.objectContaining({ tokenSymbol: expect.anything() })),
  plain('system_syncState', expect.objectContaining({ currentBlock: number })),
  plain('system_version', expect.any(String)),
  plain('system_localListenAddresses', []),
  plain('system_localPeerId', peerId),
  plain(
    'system_networkState',
    expect.objectContaining({ peerId, listenedAddresses: [], connectedPeers: {}, notConnectedPeers: {} }),
  ),
  plain('system_reservedPeers', []),
  [
    'system_addReservedPeer',
    [
      async ({ call }) => {
        await call('system_addReservedPeer', `/ip4/127.0.0.1/tcp/1/p2p/${somePeer}`);
        const reserved = await call('system_reservedPeers');
        await call('system_removeReservedPeer', somePeer);
        return reserved;
      },
      [somePeer],
    ],
  ],
  [
    'system_removeReservedPeer',
    [
      async ({ call }) => {
        await call('system_addReservedPeer', `/ip4/127.0.0.1/tcp/1/p2p/${somePeer}`);
        await call('system_removeReservedPeer', somePeer);
        return call('system_reservedPeers');
      },
      [],
    ],
  ],
  plain('system_addLogFilter', null, 'info'),
  plain('system_resetLogFilter', null),
  [
    'system_dryRun',
    [
      async ({ call, sign }) => {
        // Depends on the state only: transactions in the pool would make the nonce a future one, and the
        // state does not contain the best block's hash, which a mortal extrinsic needs, until the next block.
        await call('engine_createBlock', true, true);
        return call('system_dryRun', await sign({ era: 0 }));
      },
      { ok: { ok: [] } },
    ],
  ],
  [
    'dev_getBlockStats',
    [
      async ({ call }) => call('dev_getBlockStats', await call('chain_getBlockHash')),
      expect.objectContaining({ blockLen: number }),
    ],
  ],
  [
    'grandpa_subscribeJustifications',
    [
      async ({ api, call }) => {
        const failures: (number | undefined)[] = [];
        // polkadot-js resolves with the first item, which never comes. The call stays pending until the
        // client disconnects.
        methodOf(
          api,
          'grandpa_subscribeJustifications',
        )(() => undefined).catch(({ code }: { code?: number }) => void failures.push(code));
        await call('system_name');
        // A chain without GRANDPA returns the native node's error code 1.
        return failures.filter((code) => code !== 1);
      },
      [],
    ],
  ],
  plain('contracts_call', contractRefusal(notFound), {
    origin: someone,
    dest: someone,
    value: 0,
    gasLimit: 1,
    inputData: '0x',
  }),
  fails('contracts_getStorage', 2, "The specified contract doesn't exist.", someone, `0x${'00'.repeat(32)}`),
  plain('contracts_instantiate', contractRefusal(codeRejected), {
    origin: someone,
    value: 0,
    gasLimit: 1,
    code: '0x00',
    data: '0x',
    salt: '0x',
  }),
  plain('contracts_rentProjection', null, someone),
  plain(
    'contracts_uploadCode',
    { err: { module: { index: number, error: codeRejected } } },
    { origin: someone, code: '0x00', storageDepositLimit: null },
  ),
  fails(
    'grandpa_proveFinality',
    4,
    'GRANDPA prove finality rpc failed: Block not yet finalized',
    0xffff_ffff,
  ),
  [
    'grandpa_roundState',
    [
      // A node that does not vote returns the native node's error code 1.
      ({ call }) =>
        call('grandpa_roundState').then(
          (state) => (state as { setId: number }).setId,
          ({ code }: { code?: number }) => (code === 1 ? 0 : code),
        ),
      0,
    ],
  ],
  [
    'syncstate_genSyncSpec',
    [
      ({ call }) => call('syncstate_genSyncSpec', true).then((spec) => (spec as { name: string }).name),
      'Development',
    ],
  ],
] as [string, Case][]);
