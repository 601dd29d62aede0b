import { NodeError, type NodeStatus, type SealMode } from '../../src/index.ts';
import type { UiNode } from '../state/ui-node.ts';

/** A stand-in for the node while the page itself is worked on: `vite --mode fake`. Never part of a release build. */
type FakeBlock = {
  readonly hash: string;
  readonly header: object & { number: string; parentHash: string };
  readonly extrinsics: readonly string[];
};

const fakeHash = (seed: number): string => {
  let state = seed * 2654435761 + 1;
  return `0x${Array.from({ length: 64 }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return ((state >>> 16) & 15).toString(16);
  }).join('')}`;
};

const alice = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';
const timestamp = (number: number): string => `0x280402000b${number.toString(16).padStart(12, '0')}`;
const transfer = (number: number): string =>
  `0x4d028400${alice}01${fakeHash(number).slice(2).repeat(2)}a5010000060300${fakeHash(3).slice(2)}0700e8764817`;

const createChain = () => {
  const blocks: FakeBlock[] = [];
  const listeners = new Set<(block: FakeBlock) => void>();
  const seal = (): FakeBlock => {
    const number = blocks.length;
    const hash = fakeHash(number + 7);
    const logs =
      number === 0
        ? []
        : [
            '0x0642414245b501032c00000015d5b81000000000',
            `0x05424142450101${fakeHash(number).slice(2).repeat(2)}`,
          ];
    const header = {
      parentHash: blocks.at(-1)?.hash ?? `0x${'0'.repeat(64)}`,
      number: `0x${number.toString(16)}`,
      stateRoot: fakeHash(number + 90),
      extrinsicsRoot: fakeHash(number + 50),
      digest: { logs },
    };
    const transfers = number % 5 === 0 ? number % 4 : 0;
    const extrinsics =
      number === 0
        ? []
        : [
            timestamp(number),
            ...Array.from({ length: transfers }, (_, index) => transfer(number * 10 + index)),
          ];
    const block = { hash, header, extrinsics };
    blocks.push(block);
    for (const tell of listeners) tell(block);
    return block;
  };
  return { blocks, listeners, seal };
};

type FakeChain = ReturnType<typeof createChain>;

const answer = (chain: FakeChain, method: string, params: readonly unknown[]): unknown => {
  const { blocks } = chain;
  const hashAt = (number: unknown) => blocks[Number(number)]?.hash ?? null;
  const find = (hash: unknown) =>
    hash === undefined || hash === null ? blocks.at(-1) : blocks.find((block) => block.hash === hash);
  switch (method) {
    case 'chain_getHeader':
      return find(params[0])?.header ?? null;
    case 'chain_getBlockHash': {
      const what = params[0] ?? blocks.length - 1;
      return Array.isArray(what) ? what.map(hashAt) : hashAt(what);
    }
    case 'chain_getBlock': {
      const block = find(params[0]);
      return block
        ? { block: { header: block.header, extrinsics: block.extrinsics }, justifications: null }
        : null;
    }
    case 'engine_createBlock':
      return { hash: chain.seal().hash, aux: { header_only: false }, proof_size: 0 };
    case 'state_getStorage':
      return '0x00f6e1bd9a010000';
    case 'state_getMetadata':
      return `0x6d657461${'0e'.repeat(60_000)}`;
    case 'system_health':
      return { peers: 0, isSyncing: false, shouldHavePeers: false };
    case 'system_properties':
      return { ss58Format: 42, tokenDecimals: 12, tokenSymbol: 'UNIT' };
    case 'rpc_methods':
      return { methods: fakeMethods };
    default:
      throw Object.assign(new Error('Method not found'), { code: -32601 });
  }
};

const fakeMethods = [
  'author_pendingExtrinsics',
  'author_submitExtrinsic',
  'author_submitAndWatchExtrinsic',
  'author_unwatchExtrinsic',
  'chain_getBlock',
  'chain_getBlockHash',
  'chain_getFinalizedHead',
  'chain_getHeader',
  'chain_subscribeNewHeads',
  'chain_unsubscribeNewHeads',
  'chain_subscribeFinalizedHeads',
  'chain_unsubscribeFinalizedHeads',
  'engine_createBlock',
  'engine_finalizeBlock',
  'payment_queryInfo',
  'rpc_methods',
  'state_call',
  'state_getKeysPaged',
  'state_getMetadata',
  'state_getReadProof',
  'state_getRuntimeVersion',
  'state_getStorage',
  'state_queryStorageAt',
  'state_subscribeStorage',
  'state_unsubscribeStorage',
  'system_chain',
  'system_health',
  'system_name',
  'system_properties',
  'system_version',
];

/** `?fake=inUse`, `?fake=failed` and `?fake=dies` show the other states. */
export const openFakeNode = async (): Promise<UiNode> => {
  const wish = new URLSearchParams(location.search).get('fake');
  await new Promise((resolve) => setTimeout(resolve, wish === 'slow' ? 4000 : 120));
  if (wish === 'inUse') throw new NodeError('ChainInUse');
  if (wish === 'failed')
    throw new NodeError(
      'StorageBroken',
      'The database tabnode:development has version 7; this page knows 3.',
    );
  const chain = createChain();
  for (let index = 0; index < 1230; index += 1) chain.seal();
  let mode: SealMode = { kind: 'interval', ms: 2000 };
  let timer = setInterval(chain.seal, 2000);
  const info = {
    chainName: 'Development',
    genesisHash: fakeHash(7),
    bestNumber: 1229,
    bestHash: fakeHash(1236),
  };
  return {
    info,
    request: async (method, params) => answer(chain, method, params),
    subscribe: (method, _params, _unsubscribe, onValue) => {
      const tell = (block: FakeBlock) =>
        onValue(method.includes('Finalized') ? (chain.blocks.at(-3) ?? block).header : block.header);
      const last = chain.blocks.at(-1);
      if (last) queueMicrotask(() => tell(last));
      chain.listeners.add(tell);
      return { opened: Promise.resolve(), close: () => chain.listeners.delete(tell) };
    },
    status: async () => ({ seal: mode }) as NodeStatus,
    setSeal: async (wanted) => {
      mode = wanted;
      clearInterval(timer);
      if (wanted.kind === 'interval') timer = setInterval(chain.seal, wanted.ms);
    },
    onDown: (tell) => {
      const dying = wish === 'dies' ? setTimeout(() => tell(new NodeError('Disconnected')), 1500) : undefined;
      return () => clearTimeout(dying);
    },
    stop: async () => clearInterval(timer),
  };
};
