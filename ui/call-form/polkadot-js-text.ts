import { writeJson } from '../../src/protocol/json.ts';
import { type CopyCall, isSubscription, lines, startFirst, ws } from './copy-parts.ts';
import { jsText } from './js-text.ts';

/** Methods that polkadot-js has as `api.rpc.<section>.<name>`, with the same params as in JSON-RPC. */
const known: Readonly<Record<string, string>> = {
  author: 'hasKey hasSessionKeys pendingExtrinsics rotateKeys submitExtrinsic',
  chain:
    'getBlock getBlockHash getFinalizedHead getHeader subscribeAllHeads subscribeFinalizedHeads subscribeNewHeads',
  engine: 'createBlock finalizeBlock',
  grandpa: 'roundState',
  payment: 'queryFeeDetails queryInfo',
  state:
    'call getKeys getKeysPaged getMetadata getPairs getReadProof getRuntimeVersion getStorage getStorageHash getStorageSize subscribeRuntimeVersion',
  system:
    'accountNextIndex chain chainType health localPeerId name nodeRoles peers properties syncState version',
};

/** Such as `api.rpc.chain.getBlockHash`; null if polkadot-js lacks the method or takes other arguments. */
const pathOf = ({ method, params }: CopyCall): string | null => {
  const cut = method.indexOf('_');
  const [section, name] = [method.slice(0, cut), method.slice(cut + 1)];
  // polkadot-js reads null as a hash of zeros, and takes one block where the node also takes a list.
  const isPlain = params.every((value) => value !== null && typeof value !== 'object');
  return isPlain && known[section]?.split(' ').includes(name) ? `api.rpc.${section}.${name}` : null;
};

const argsText = (params: readonly unknown[]): string => params.map(jsText).join(', ');

const write = (call: CopyCall): string => {
  const path = pathOf(call);
  const args = argsText(call.params);
  if (path !== null)
    return isSubscription(call)
      ? `await ${path}(${args === '' ? '' : `${args}, `}(item) => console.log(item.toJSON()));`
      : `console.log((await ${path}(${args})).toJSON());`;
  const request = `${writeJson(call.method)}, [${args}]`;
  return isSubscription(call)
    ? `await provider.subscribe(${writeJson(call.info?.event)}, ${request}, (error, item) => console.log(error ?? item));`
    : `console.log(await provider.send(${request}));`;
};

/** Calls as a complete module: through `api.rpc` if polkadot-js has the method, else through the provider. */
export const polkadotJsText = (calls: readonly CopyCall[]): string => {
  const needsApi = calls.some((call) => pathOf(call) !== null);
  const staysOpen = calls.some(isSubscription);
  return lines(
    `// ${startFirst()}`,
    `import { ${needsApi ? 'ApiPromise, ' : ''}WsProvider } from '@polkadot/api';`,
    '',
    // polkadot-js decodes the results of this dialect.
    `const provider = new WsProvider('${ws}/?dialect=polkadot-sdk');`,
    needsApi ? 'const api = await ApiPromise.create({ provider });' : 'await provider.isReady;',
    ...calls.map(write),
    ...(staysOpen ? [] : [`await ${needsApi ? 'api' : 'provider'}.disconnect();`]),
  );
};
