import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApiPromise, Keyring } from '@polkadot/api';
import { type Endpoint, expose } from 'comlink';
import { describe, expect, it, vi } from 'vitest';
import { prepareIn } from './begin.ts';
import type { NodeConfig, NodeControl } from './protocol/node.ts';
import { polkadotJsProvider } from './providers/polkadot-js.ts';
import { type NodeOptions, startNodeIn, type WorkerHost } from './start.ts';
import { silentControl } from './tabs/fake-tabs.fixture.ts';

type Host = WorkerHost & { readonly die: (why: string) => void; terminated: number };

/** Both ends of a worker in this process. */
const createHost = (control: NodeControl): Host => {
  const { port1, port2 } = new MessageChannel();
  expose(control, port2 as unknown as Endpoint);
  port1.start();
  let die: (why: string) => void = () => undefined;
  const host = {
    endpoint: port1 as unknown as Endpoint,
    onDeath: (listener: (why: string) => void) => {
      die = listener;
    },
    die: (why: string) => die(why),
    terminated: 0,
    terminate: () => {
      host.terminated++;
      port1.close();
      port2.close();
    },
  };
  return host;
};

const info = { chainName: 'Fake', genesisHash: '0x00', bestNumber: 0, bestHash: '0x00', finalizedNumber: 0 };

const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let k = 0; k < 5; k++) {
    collect();
    // What was collected is told in a later task.
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('prepareIn', () => {
  it('keeps the remote of a prepared worker until a node is started in it', async () => {
    const prepare = vi.fn(async () => undefined);
    const start = async () => ({ ok: true, value: info }) as const;
    const connect = async () => ({ ok: true, value: null }) as const;
    const prepared = prepareIn(createHost({ ...silentControl, prepare, start, connect }), {});
    await vi.waitFor(() => expect(prepare).toHaveBeenCalledWith('development'));
    await collectGarbage();
    expect((await startNodeIn(prepared)).info).toEqual(info);
  });
});

describe('startNodeIn', () => {
  it('rejects with Disconnected when the worker does not load', async () => {
    const host = createHost(silentControl);
    const starting = startNodeIn(host);
    host.die('The worker could not be loaded');
    await expect(starting).rejects.toMatchObject({
      code: 'Disconnected',
      message: 'The worker could not be loaded',
    });
    expect(host.terminated).toBe(1);
  });

  it('rejects with the error returned by start', async () => {
    const host = createHost({
      ...silentControl,
      start: async () => ({ ok: false, error: { code: 'ChainInUse', message: 'taken', details: {} } }),
    });
    await expect(startNodeIn(host)).rejects.toMatchObject({ code: 'ChainInUse', message: 'taken' });
    expect(host.terminated).toBe(1);
  });

  it('rejects every pending call when the worker dies', async () => {
    const host = createHost({
      ...silentControl,
      start: async () => ({ ok: true, value: info }),
      connect: async () => ({ ok: true, value: null }),
    });
    const node = await startNodeIn(host, { seal: 'manual' });
    const calls = [node.rpc.chain_getHeader(), node.status(), node.rpc.system_name()];
    const failures = Promise.allSettled(calls);
    host.die('killed');
    for (const outcome of await failures) expect(outcome).toMatchObject({ reason: { code: 'Disconnected' } });
    await node.stop();
    await node.stop();
    expect(host.terminated).toBe(1);
  });

  it('passes its options to the worker', async () => {
    const asked: NodeConfig[] = [];
    const host = createHost({
      ...silentControl,
      start: async (config) => {
        asked.push(config);
        return { ok: false, error: { code: 'ChainInUse', message: 'taken', details: {} } };
      },
    });
    await expect(startNodeIn(host, { mockSignatures: true })).rejects.toMatchObject({ code: 'ChainInUse' });
    expect(asked).toMatchObject([{ mockSignatures: true, chain: 'development' }]);
  });

  it('rejects when its signal is aborted', async () => {
    const abort = new AbortController();
    const starting = startNodeIn(createHost(silentControl), { signal: abort.signal });
    abort.abort();
    await expect(starting).rejects.toMatchObject({ code: 'Aborted' });
  });
});

const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';

it.each([
  ['wall', 'wall'],
  [new Date('2024-02-29'), { startMs: 1_709_164_800_000 }],
  [undefined, undefined],
] as const)('clock %s', async (clock, expected) => {
  const { createControl } = await import('../worker/control.ts');
  const { createTestPlatform } = await import('../test/rigs/platform.ts');
  const control = createControl(createTestPlatform());
  let told: unknown = null;
  const start: typeof control.start = (config) => {
    told = config.clock;
    return control.start(config);
  };
  const node = await startNodeIn(createHost({ ...control, start }), clock === undefined ? {} : { clock });
  expect(told).toEqual(expected);
  await node.stop();
});

describe('a whole node', () => {
  it('lets polkadot-js disconnect without errors right after the API is ready', {
    timeout: 60_000,
  }, async () => {
    const { createControl } = await import('../worker/control.ts');
    const { createTestPlatform } = await import('../test/rigs/platform.ts');
    const node = await startNodeIn(createHost(createControl(createTestPlatform())));
    let connections = 0;
    const connect: typeof node.connect = (options) => {
      connections++;
      return node.connect(options);
    };
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const api = await ApiPromise.create({ provider: polkadotJsProvider({ connect }), noInitWarn: true });
    await api.disconnect();
    await node.stop();
    // polkadot-js logs these from promises that settle now.
    await new Promise((resolve) => setImmediate(resolve));
    expect(logged.mock.calls).toEqual([]);
    expect(connections).toBe(1);
    logged.mockRestore();
  });

  it.each([
    [{}, { kind: 'delayed', ms: 1500 }, false],
    [{ seal: 'manual' }, { kind: 'instant' }, false],
    [{ finality: 'delayed' }, { kind: 'delayed', ms: 1500 }, true],
    [{ finality: { kind: 'delayed', blocks: 2 } }, { kind: 'delayed', blocks: 2 }, true],
    [{ finality: 'instant' }, { kind: 'instant' }, true],
  ] as const)('started with %j has the finality %j', async (options, finality, finalityChosen) => {
    const { createControl } = await import('../worker/control.ts');
    const { createTestPlatform } = await import('../test/rigs/platform.ts');
    const node = await startNodeIn(createHost(createControl(createTestPlatform())), options);
    expect(await node.status()).toMatchObject({ finality, finalityChosen });
    await node.stop();
  });

  it('rejects an invalid delay with an error code', async () => {
    const host = createHost({ ...silentControl });
    const finality = { kind: 'delayed', ms: -1 } as const;
    await expect(startNodeIn(host, { finality })).rejects.toMatchObject({ code: 'BadConfig' });
  });

  it.each([
    [{ chain: 'kusama' }, /^chain: expected development/],
    [{ seal: 'banana' }, /^seal: expected manual, instant, slots/],
    [{ seal: 'interval' }, /^seal: /],
    [{ seal: { kind: 'interval', ms: 0 } }, /^seal: /],
    [{ clock: 'tomorrow' }, /^clock: expected chain, wall/],
    [{ clock: new Date('never') }, /^clock: /],
    [{ storage: 'disk' }, /^storage: expected memory/],
    [{ storage: 'indexeddb' }, /^storage: .*name/],
    [{ storage: { kind: 'sqlite' } }, /^storage: .*path/],
    [{ dialect: 'sdk' }, /^dialect: expected psp-6 or polkadot-sdk/],
    [{ keys: '//Alice' }, /^keys: /],
    [{ blocksPruning: 5 }, /^blocksPruning: /],
    [{ statePruning: 0 }, /^statePruning: /],
    [{ statePruning: { ifNew: 0 } }, /^statePruning: /],
    [{ mockSignatures: 'yes' }, /^mockSignatures: /],
    [{ cacheBytes: 0 }, /^cacheBytes: expected a number of bytes/],
    [{ statePrunning: 5 }, /^statePrunning: no such option; expected one of .*statePruning/],
    [{ toString: 1 }, /^toString: no such option/],
    [{ finality: 'x' }, /^finality: expected delayed/],
  ])('rejects %j and lists the valid values', async (options, message) => {
    const host = createHost({ ...silentControl });
    const starting = startNodeIn(host, options as NodeOptions);
    await expect(starting).rejects.toMatchObject({
      code: 'BadConfig',
      message: expect.stringMatching(message),
    });
    expect(host.terminated).toBe(1);
  });

  it('serves the typed client and polkadot-js', { timeout: 60_000 }, async () => {
    const { createControl } = await import('../worker/control.ts');
    const { createTestPlatform } = await import('../test/rigs/platform.ts');
    const node = await startNodeIn(createHost(createControl(createTestPlatform())), {
      seal: 'manual',
      finality: 'manual',
    });
    const heads: string[] = [];
    const unsubscribe = await node.rpc.chain_subscribeNewHeads({}, (head) => heads.push(head.number));
    const sealed = await node.rpc.engine_createBlock({ create_empty: true, finalize: false });
    expect((await node.rpc.chain_getHeader())?.number).toBe('0x1');
    expect(await node.rpc.chain_getBlockHash({ hash: 1 })).toBe(sealed.hash);
    expect(await node.rpc.chain_getFinalizedHead()).toBe(node.info.genesisHash);
    expect(await node.rpc.engine_finalizeBlock({ hash: sealed.hash })).toBe(true);
    expect(await node.rpc.chain_getFinalizedHead()).toBe(sealed.hash);
    await unsubscribe();
    expect(heads).toEqual(['0x0', '0x1']);
    expect((await node.rpc.system_health()).peers).toBe(0);
    expect(await node.rpc.state_getMetadata()).toMatch(/^0x6d657461/);

    const api = await ApiPromise.create({ provider: polkadotJsProvider(node), noInitWarn: true });
    expect(api.genesisHash.toHex()).toBe(node.info.genesisHash);
    const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
    const transfer = api.tx['balances']?.['transferKeepAlive']?.(bob, 10n ** 12n);
    if (transfer === undefined) throw new Error('the runtime has no transferKeepAlive');
    const fee = await node.rpc.payment_queryInfo({ encoded_xt: (await transfer.signAsync(alice)).toHex() });
    expect(typeof fee === 'bigint' || typeof fee === 'number').toBe(true);
    const statuses: string[] = [];
    const done = Promise.withResolvers<void>();
    await transfer.signAndSend(alice, ({ status }) => {
      statuses.push(status.type);
      if (status.isInBlock) void node.rpc.engine_finalizeBlock({ hash: status.asInBlock.toHex() });
      if (status.isFinalized) done.resolve();
    });
    expect(await node.rpc.system_accountNextIndex({ account: alice.address })).toBe(1);
    expect(await node.rpc.author_pendingExtrinsics()).toHaveLength(1);
    await node.rpc.engine_createBlock({ create_empty: false, finalize: false });
    await done.promise;
    expect(statuses).toEqual(['Ready', 'InBlock', 'Finalized']);
    await api.disconnect();
    await node.stop();
    await expect(node.rpc.system_name()).rejects.toMatchObject({ code: 'Disconnected' });
  });
});
