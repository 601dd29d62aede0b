import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hexToBytes } from '../worker/bytes/hex.ts';
import type { ForkOptions, ForkProvider } from './fork-source.ts';
import { type NodeOptions, startNode, type TabNode } from './index.ts';
import type { ForkProgress } from './protocol/fork-source.ts';

/** Of `Balances.TotalIssuance`. */
const totalIssuanceKey = '0xc2261276cc9d1f8598ea4b6a74b15c2f57c875e4cff74148e4628f264b974c80';

let live: TabNode;
beforeAll(async () => {
  live = await startNode({ seal: 'manual' });
  for (let block = 0; block < 3; block++)
    await live.rpc.engine_createBlock({ create_empty: true, finalize: true });
}, 60_000);
afterAll(() => live.stop());

/** A node of ours as a provider, as an extension or smoldot would be. */
const providerOf =
  (form: 'text' | 'object'): ForkProvider =>
  (onMessage) => {
    const opening = live.openPort({ dialect: 'polkadot-sdk' });
    void opening.then((port) => {
      port.onmessage = ({ data }: MessageEvent<string | string[]>) => {
        for (const text of [data].flat()) onMessage(form === 'text' ? text : JSON.parse(text));
      };
    });
    return {
      send: (message: unknown) => {
        const text = form === 'text' ? (message as string) : JSON.stringify(message);
        void opening.then((port) => port.postMessage(text));
      },
      disconnect: () => void opening.then((port) => port.close()),
    };
  };

const start = (fork: ForkOptions, more: Partial<NodeOptions> = {}): Promise<TabNode> =>
  startNode({ fork, seal: 'manual', ...more });

describe('startNode with a fork', { timeout: 60_000 }, () => {
  it.each(['text', 'object'] as const)(
    'continues the chain of a provider of %s messages',
    async (messages) => {
      const reads: ForkProgress[] = [];
      const node = await start({
        provider: providerOf(messages),
        messages,
        block: 2,
        onProgress: (progress) => reads.push(progress),
      });
      try {
        expect(node.info).toMatchObject({ genesisHash: live.info.genesisHash, bestNumber: 2 });
        expect(node.info.base?.number).toBe(2);
        await node.rpc.engine_createBlock({ create_empty: true, finalize: true });
        const { bestNumber, fork } = await node.status();
        expect(bestNumber).toBe(3);
        expect(fork).toMatchObject({
          chosenAs: 'number',
          lies: 0,
          untruths: [],
          endpoints: [{ name: 'provider' }],
        });
        await vi.waitFor(() => expect(reads.at(-1)?.items).toBeGreaterThan(0));
        expect(reads.at(-1)?.requests).toBeGreaterThan(0);
        expect(reads.at(-1)?.bytes).toBeGreaterThan(0);
        // Named by the metadata: nothing before has read this item.
        await node.rpc.state_getStorage({ key: totalIssuanceKey });
        const reading = { pallet: 'Balances', item: 'TotalIssuance', keys: 1 };
        await vi.waitFor(() => expect(reads.at(-1)?.reading).toEqual(reading));
      } finally {
        await node.stop();
      }
    },
  );

  it('opens a pack without a network, and builds the same block', async () => {
    const node = await start({ provider: providerOf('text'), block: 2 });
    const made = await node.rpc.engine_createBlock({ create_empty: true, finalize: true });
    const pack = hexToBytes(await node.rpc.dev_exportFork({}));
    await node.stop();
    const again = await start({ pack });
    expect(again.info.base).toEqual(node.info.base);
    expect(await again.rpc.engine_createBlock({ create_empty: true, finalize: true })).toBeDefined();
    expect((await again.status()).fork?.endpoints).toEqual([]);
    expect(made).toBeDefined();
    await again.stop();
  });

  it('asks another endpoint when one throws or ends, and names what each of them did', async () => {
    const broken = {
      name: 'broken',
      provider: () => {
        throw new Error('is not installed');
      },
    };
    const ending = {
      name: 'ending',
      provider: ((_onMessage, onClose) => {
        queueMicrotask(() => onClose('was switched off'));
        return { send: () => undefined, disconnect: () => undefined };
      }) satisfies ForkProvider,
    };
    const whole = { name: 'whole', provider: providerOf('text') };
    const node = await start({ endpoints: [broken, ending, whole] });
    try {
      expect(node.info.base?.number).toBe(3);
    } finally {
      await node.stop();
    }
    await expect(start({ endpoints: [broken, ending] })).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringMatching(/broken.*is not installed.*ending.*was switched off/),
    });
  });

  it('refuses nodes that are not of the chain that is named', async () => {
    const endpoints = [{ name: 'ours', provider: providerOf('text') }];
    await expect(start({ chain: 'westend-people', endpoints })).rejects.toMatchObject({
      code: 'EndpointUnfit',
      message: expect.stringMatching(/ours.* is not of Westend People: its genesis is 0x/),
    });
  });

  it('ends when it is aborted while the live chain says nothing', async () => {
    const aborter = new AbortController();
    const silent: ForkProvider = () => {
      queueMicrotask(() => aborter.abort());
      return { send: () => undefined, disconnect: () => undefined };
    };
    await expect(start({ provider: silent }, { signal: aborter.signal })).rejects.toMatchObject({
      code: 'Aborted',
    });
  });
});

const wrong = (fork: unknown, more: object = {}) => startNode({ fork, ...more } as NodeOptions);
const url = 'ws://127.0.0.1:1';

it.each<readonly [what: string, fork: unknown, more: object, text: string]>([
  ['no object', 'ws://a', {}, 'fork: expected { chain, endpoint, block }'],
  ['no endpoint', {}, {}, 'expected one of chain, endpoint, endpoints and provider'],
  ['two kinds of endpoints', { endpoint: url, endpoints: [url] }, {}, 'expected one of chain, endpoint'],
  [
    'a chain that is not known',
    { chain: 'polkadto' },
    {},
    'No chain "polkadto" is known by name. Expected one of',
  ],
  ['a chain that is no name', { chain: 7 }, {}, 'chain: expected the name of a chain'],
  ['an endpoint that is none', { endpoint: 7 }, {}, 'expected the URL of a node, or { name, provider }'],
  [
    'a provider that is no function',
    { provider: {} },
    {},
    'expected the URL of a node, or { name, provider }',
  ],
  ['unknown messages', { provider: () => null, messages: 'bytes' }, {}, 'messages: expected text or object'],
  ['endpoints that are no list', { endpoints: url }, {}, 'endpoints: expected a list'],
  ['an unknown option', { endpoint: url, at: 3 }, {}, 'at: no such option; expected one of chain'],
  ['a block that is none', { endpoint: url, block: 'latest' }, {}, 'block: expected the hash or number'],
  ['a negative block', { endpoint: url, block: -1 }, {}, 'block: expected the hash or number'],
  ['a listener that is none', { endpoint: url, onProgress: true }, {}, 'onProgress: expected a function'],
  ['a pack that is no bytes', { pack: 'fork.pack' }, {}, 'pack: expected bytes'],
  ['a switch that is none', { endpoint: url, offline: 'yes' }, {}, 'offline: expected true or false'],
  ['a limit that is none', { endpoint: url, sharedBytes: -1 }, {}, 'sharedBytes: expected a whole number'],
  ['a new fork without the network', { endpoints: [], offline: true }, {}, 'needs the hash of its block'],
  ['a chain besides', { endpoint: url }, { chain: 'development' }, 'leave out chain'],
  ['pruned states', { endpoint: url }, { statePruning: { ifNew: 64 } }, 'A fork keeps all states'],
  ['a clock that starts', { endpoint: url }, { clock: new Date(0) }, 'continues at the time of its base'],
  ['no endpoints for a new fork', { endpoints: [] }, {}, 'A new fork needs the URL of a node'],
])('refuses %s', async (_what, fork, more, text) => {
  await expect(wrong(fork, more)).rejects.toMatchObject({
    code: 'BadConfig',
    message: expect.stringContaining(text),
  });
});
