import { writeJson } from '../../src/protocol/json.ts';
import type { MethodInfo } from '../state/method-info.ts';

/** A call to be written down. */
export type CopyCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly info: MethodInfo | null;
};
/** One way to write calls down. */
export type CopyForm = {
  readonly id: string;
  readonly label: string;
  /** Null where there is no such way for these calls. */
  readonly write: (calls: readonly CopyCall[]) => string | null;
};

/** Where `tabnode serve` listens. */
const http = 'http://127.0.0.1:9944';
const ws = 'ws://127.0.0.1:9944';

const listText = (params: readonly unknown[]): string =>
  `[${params.map((param) => writeJson(param)).join(', ')}]`;

type NamedCall = { readonly method: string; readonly params: unknown };

/** Calls as one JSON-RPC message. */
export const rpcText = (calls: readonly NamedCall[]): string => {
  const texts = calls.map(
    ({ method, params }, index) =>
      `{"jsonrpc":"2.0","id":${index + 1},"method":${writeJson(method)},"params":${writeJson(params)}}`,
  );
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(',')}]`;
};

/** Calls as a command for `tabnode serve`. */
export const curlText = (calls: readonly NamedCall[]): string =>
  `curl -s -H 'Content-Type: application/json' -d ${shellQuote(rpcText(calls))} ${http}`;

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const lines = (...parts: readonly string[]): string => parts.join('\n');

const isSubscription = ({ info }: CopyCall): boolean => info?.role === 'subscribe';

const polkadotJs = (call: CopyCall): string => {
  const args = `${writeJson(call.method)}, ${listText(call.params)}`;
  return isSubscription(call)
    ? `await provider.subscribe(${writeJson(call.info?.event)}, ${args}, (error, item) => console.log(error ?? item));`
    : `console.log(await provider.send(${args}));`;
};

/** What PAPI has in place of the old subscriptions; it has no others (PolkadotClient). */
const papiStreams: Readonly<Record<string, string>> = {
  chain_subscribeFinalizedHeads: 'client.finalizedBlock$.subscribe(console.log);',
  chain_subscribeNewHeads: 'client.bestBlocks$.subscribe(([best]) => console.log(best));',
};

const papiCall = (call: CopyCall): string | null =>
  isSubscription(call)
    ? (papiStreams[call.info?.method ?? ''] ?? null)
    : `console.log(await client._request(${writeJson(call.method)}, ${listText(call.params)}));`;

const papi = (calls: readonly CopyCall[]): string | null => {
  const bodies = calls.map(papiCall);
  if (bodies.includes(null)) return null;
  return lines(
    `import { createClient } from 'polkadot-api';`,
    `import { getWsProvider } from 'polkadot-api/ws';`,
    '',
    `const client = createClient(getWsProvider(${writeJson(ws)}));`,
    ...bodies.map(String),
  );
};

/** Names as object keys where they are words. */
const keyText = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : writeJson(name));

const typedCall = ({ method, params, info }: CopyCall): string => {
  if (info === null || info.role === 'unsubscribe')
    return `await node.connection.request(${writeJson(method)}, ${listText(params)});`;
  const fields = params.flatMap((value, index) => {
    const name = info.params[index]?.name;
    return name === undefined || (value === null && info.params[index]?.optional === true)
      ? []
      : [`${keyText(name)}: ${writeJson(value)}`];
  });
  const args = fields.length === 0 ? '' : `{ ${fields.join(', ')} }`;
  const path = /^\w+$/.test(info.method) ? `.${info.method}` : `[${writeJson(info.method)}]`;
  return info.role === 'subscribe'
    ? `const stop = await node.rpc${path}(${args === '' ? '{}' : args}, (item) => console.log(item));`
    : `await node.rpc${path}(${args});`;
};

/** Every way to copy a call, or the calls of a batch. */
export const copyForms: readonly CopyForm[] = [
  { id: 'json', label: 'JSON-RPC', write: rpcText },
  {
    id: 'curl',
    label: 'curl',
    write: curlText,
  },
  {
    id: 'websocat',
    label: 'websocat',
    // A subscription stays open; one answer ends any other call.
    write: (calls) =>
      `echo ${shellQuote(rpcText(calls))} | websocat ${calls.some(isSubscription) ? '-n' : '-n1'} -B 16000000 ${ws}`,
  },
  {
    id: 'websocket',
    label: 'WebSocket (JavaScript)',
    write: (calls) =>
      lines(
        `const socket = new WebSocket(${writeJson(ws)});`,
        'socket.onmessage = ({ data }) => console.log(JSON.parse(data));',
        `socket.onopen = () => socket.send(${writeJson(rpcText(calls))});`,
      ),
  },
  {
    id: 'fetch',
    label: 'fetch',
    write: (calls) =>
      lines(
        `const response = await fetch(${writeJson(http)}, {`,
        `  method: 'POST',`,
        `  headers: { 'Content-Type': 'application/json' },`,
        `  body: ${writeJson(rpcText(calls))},`,
        '});',
        'console.log(await response.json());',
      ),
  },
  {
    id: 'polkadot-js',
    label: 'polkadot-js',
    write: (calls) =>
      lines(
        `import { WsProvider } from '@polkadot/api';`,
        '',
        `const provider = new WsProvider(${writeJson(ws)});`,
        'await provider.isReady;',
        ...calls.map(polkadotJs),
      ),
  },
  { id: 'papi', label: 'PAPI', write: papi },
  {
    id: 'node.rpc',
    label: 'node.rpc (tabnode)',
    write: (calls) => calls.map(typedCall).join('\n'),
  },
];
