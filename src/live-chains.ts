import { NodeError } from './protocol/errors.ts';

/** A public chain that is known by name. */
export type LiveChain = {
  /** As people write it. */
  readonly title: string;
  readonly genesisHash: string;
  /** Public nodes, the preferred one first. */
  readonly endpoints: readonly string[];
};

const chain = (title: string, genesisHash: string, ...endpoints: readonly string[]): LiveChain => ({
  title,
  genesisHash,
  endpoints,
});

/**
 * The relay chains of Polkadot and their system chains. The hashes are those of the genesis headers in the specifications of
 * `@polkadot-api/known-chains`; the nodes are listed in `@polkadot/apps-config`.
 */
export const liveChains = {
  polkadot: chain(
    'Polkadot',
    '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3',
    'wss://rpc.polkadot.io',
    'wss://polkadot.ibp.network',
    'wss://polkadot-rpc.n.dwellir.com',
    'wss://polkadot.api.onfinality.io/public-ws',
  ),
  'polkadot-asset-hub': chain(
    'Polkadot Asset Hub',
    '0x68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f',
    'wss://polkadot-asset-hub-rpc.polkadot.io',
    'wss://asset-hub-polkadot.ibp.network',
    'wss://asset-hub-polkadot-rpc.n.dwellir.com',
  ),
  'polkadot-bridge-hub': chain(
    'Polkadot Bridge Hub',
    '0xdcf691b5a3fbe24adc99ddc959c0561b973e329b1aef4c4b22e7bb2ddecb4464',
    'wss://polkadot-bridge-hub-rpc.polkadot.io',
    'wss://bridge-hub-polkadot.ibp.network',
    'wss://bridge-hub-polkadot-rpc.n.dwellir.com',
  ),
  'polkadot-collectives': chain(
    'Polkadot Collectives',
    '0x46ee89aa2eedd13e988962630ec9fb7565964cf5023bb351f2b6b25c1b68b0b2',
    'wss://polkadot-collectives-rpc.polkadot.io',
    'wss://collectives-polkadot.ibp.network',
    'wss://collectives-polkadot-rpc.n.dwellir.com',
  ),
  'polkadot-coretime': chain(
    'Polkadot Coretime',
    '0xefb56e30d9b4a24099f88820987d0f45fb645992416535d87650d98e00f46fc4',
    'wss://polkadot-coretime-rpc.polkadot.io',
    'wss://coretime-polkadot.ibp.network',
    'wss://coretime-polkadot-rpc.n.dwellir.com',
  ),
  'polkadot-people': chain(
    'Polkadot People',
    '0x67fa177a097bfa18f77ea95ab56e9bcdfeb0e5b8a40e46298bb93e16b6fc5008',
    'wss://polkadot-people-rpc.polkadot.io',
    'wss://people-polkadot.ibp.network',
    'wss://people-polkadot-rpc.n.dwellir.com',
  ),
  kusama: chain(
    'Kusama',
    '0xb0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe',
    'wss://kusama-rpc.polkadot.io',
    'wss://kusama.ibp.network',
    'wss://kusama-rpc.n.dwellir.com',
    'wss://kusama.api.onfinality.io/public-ws',
  ),
  'kusama-asset-hub': chain(
    'Kusama Asset Hub',
    '0x48239ef607d7928874027a43a67689209727dfb3d3dc5e5b03a39bdc2eda771a',
    'wss://kusama-asset-hub-rpc.polkadot.io',
    'wss://asset-hub-kusama.ibp.network',
    'wss://asset-hub-kusama-rpc.n.dwellir.com',
  ),
  'kusama-bridge-hub': chain(
    'Kusama Bridge Hub',
    '0x00dcb981df86429de8bbacf9803401f09485366c44efbf53af9ecfab03adc7e5',
    'wss://kusama-bridge-hub-rpc.polkadot.io',
    'wss://bridge-hub-kusama.ibp.network',
    'wss://bridge-hub-kusama-rpc.n.dwellir.com',
  ),
  'kusama-coretime': chain(
    'Kusama Coretime',
    '0x638cd2b9af4b3bb54b8c1f0d22711fc89924ca93300f0caf25a580432b29d050',
    'wss://kusama-coretime-rpc.polkadot.io',
    'wss://coretime-kusama.ibp.network',
    'wss://coretime-kusama-rpc.n.dwellir.com',
  ),
  'kusama-people': chain(
    'Kusama People',
    '0xc1af4cb4eb3918e5db15086c0cc5ec17fb334f728b7c65dd44bfe1e174ff8b3f',
    'wss://kusama-people-rpc.polkadot.io',
    'wss://people-kusama.ibp.network',
    'wss://people-kusama-rpc.n.dwellir.com',
  ),
  'kusama-encointer': chain(
    'Kusama Encointer',
    '0x7dd99936c1e9e6d1ce7d90eb6f33bea8393b4bf87677d675aa63c9cb3e8c5b5b',
    'wss://kusama.api.encointer.org',
    'wss://encointer-kusama.ibp.network',
    'wss://encointer-kusama-rpc.n.dwellir.com',
  ),
  westend: chain(
    'Westend',
    '0xe143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e',
    'wss://westend-rpc.polkadot.io',
    'wss://westend-rpc.n.dwellir.com',
    'wss://westend.api.onfinality.io/public-ws',
  ),
  'westend-asset-hub': chain(
    'Westend Asset Hub',
    '0x67f9723393ef76214df0118c34bbbd3dbebc8ed46a10973a8c969d48fe7598c9',
    'wss://westend-asset-hub-rpc.polkadot.io',
    'wss://asset-hub-westend-rpc.n.dwellir.com',
  ),
  'westend-bridge-hub': chain(
    'Westend Bridge Hub',
    '0x0441383e31d1266a92b4cb2ddd4c2e3661ac476996db7e5844c52433b81fe782',
    'wss://westend-bridge-hub-rpc.polkadot.io',
    'wss://bridge-hub-westend-rpc.n.dwellir.com',
  ),
  'westend-collectives': chain(
    'Westend Collectives',
    '0x713daf193a6301583ff467be736da27ef0a72711b248927ba413f573d2b38e44',
    'wss://westend-collectives-rpc.polkadot.io',
    'wss://collectives-westend-rpc.n.dwellir.com',
  ),
  'westend-coretime': chain(
    'Westend Coretime',
    '0xf938510edee7c23efa6e9db74f227c827a1b518bffe92e2f6c9842dc53d38840',
    'wss://westend-coretime-rpc.polkadot.io',
    'wss://coretime-westend-rpc.n.dwellir.com',
  ),
  'westend-people': chain(
    'Westend People',
    '0x1eb6fb0ba5187434de017a70cb84d4f47142df1d571d0ef9e7e1407f2b80b93c',
    'wss://westend-people-rpc.polkadot.io',
    'wss://people-westend-rpc.n.dwellir.com',
  ),
  paseo: chain(
    'Paseo',
    '0x374057be67b355151f271ff70c3db98308c62c8adc48dc6724b6a009a1a014fd',
    'wss://paseo.ibp.network',
    'wss://paseo.rpc.amforc.com',
    'wss://paseo-rpc.n.dwellir.com',
  ),
  'paseo-asset-hub': chain(
    'Paseo Asset Hub',
    '0xd6eec26135305a8ad257a20d003357284c8aa03d0bdb2b357ab0a22371e11ef2',
    'wss://asset-hub-paseo.ibp.network',
    'wss://asset-hub-paseo-rpc.n.dwellir.com',
  ),
  'paseo-coretime': chain(
    'Paseo Coretime',
    '0xc806038cc1d06766f23074ade7c5511326be41646deabc259970ff280c82a464',
    'wss://coretime-paseo.ibp.network',
    'wss://coretime-paseo.dotters.network',
  ),
  'paseo-people': chain(
    'Paseo People',
    '0xe6c30d6e148f250b887105237bcaa5cb9f16dd203bf7b5b9d4f1da7387cb86ec',
    'wss://people-paseo.ibp.network',
    'wss://people-paseo.rpc.amforc.com',
  ),
} satisfies Readonly<Record<string, LiveChain>>;

export type LiveChainName = keyof typeof liveChains;

/** What may be written instead of the URL of a node. */
export const liveChainNames: readonly string[] = Object.keys(liveChains);

/** Null: no chain has this name. */
export const findLiveChain = (name: string): LiveChain | null =>
  Object.hasOwn(liveChains, name) ? liveChains[name as LiveChainName] : null;

/** Throws `BadConfig`. */
export const needLiveChain = (name: string): LiveChain => {
  const chain = findLiveChain(name);
  if (chain !== null) return chain;
  throw new NodeError(
    'BadConfig',
    `No chain "${name}" is known by name. Expected one of ${liveChainNames.join(', ')}, or the URL of a node`,
  );
};
