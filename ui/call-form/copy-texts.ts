import { writeJson } from '../../src/protocol/json.ts';
import { type CopyCall, http, isSubscription, lines, startFirst, ws } from './copy-parts.ts';
import { hasBigint, jsText } from './js-text.ts';
import { polkadotJsText } from './polkadot-js-text.ts';

/** A format for copied calls. */
export type CopyForm = {
  readonly label: string;
  /** Returns null if the format does not support these calls. */
  readonly write: (calls: readonly CopyCall[]) => string | null;
};

type NamedCall = { readonly method: string; readonly params: unknown };

/** Calls as one JSON-RPC message. */
export const rpcText = (calls: readonly NamedCall[]): string => {
  const texts = calls.map(
    ({ method, params }, index) =>
      `{"jsonrpc":"2.0","id":${index + 1},"method":${writeJson(method)},"params":${writeJson(params)}}`,
  );
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(',')}]`;
};

/** A curl command that sends the calls to `tabnode serve`. */
export const curlText = (calls: readonly NamedCall[]): string =>
  lines(
    `# ${startFirst()}`,
    `curl -s -H 'Content-Type: application/json' -d ${shellQuote(rpcText(calls))} ${http}`,
  );

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A JavaScript expression for the text of the message. With integers beyond 2^53 it is a string literal,
 * because numbers would lose digits.
 */
const messageExpression = (calls: readonly NamedCall[]): string => {
  if (calls.some(({ params }) => hasBigint(params))) return writeJson(rpcText(calls));
  const messages = calls.map(({ method, params }, index) =>
    jsText({ jsonrpc: '2.0', id: index + 1, method, params }),
  );
  return `JSON.stringify(${messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`})`;
};

/** The streams of PAPI's PolkadotClient that replace legacy subscriptions; it has none for the others. */
const papiStreams: Readonly<Record<string, string>> = {
  chain_subscribeFinalizedHeads: 'client.finalizedBlock$.subscribe(console.log);',
  chain_subscribeNewHeads: 'client.bestBlocks$.subscribe(([best]) => console.log(best));',
};

const papiCall = (call: CopyCall): string | null =>
  isSubscription(call)
    ? (papiStreams[call.info?.method ?? ''] ?? null)
    : `console.log(await client._request(${writeJson(call.method)}, ${jsText(call.params)}));`;

const papi = (calls: readonly CopyCall[]): string | null => {
  const bodies = calls.map(papiCall);
  if (bodies.includes(null)) return null;
  return lines(
    `// ${startFirst()}`,
    `import { createClient } from 'polkadot-api';`,
    `import { getWsProvider } from 'polkadot-api/ws';`,
    '',
    `const client = createClient(getWsProvider('${ws}'));`,
    ...bodies.map(String),
    // A client that is destroyed before its chainHead follow is answered throws later, so wait for a block.
    ...(calls.some(isSubscription) ? [] : ['await client.getFinalizedBlock();', 'client.destroy();']),
  );
};

/** All formats for copying a call or a batch. */
export const copyForms: readonly CopyForm[] = [
  { label: 'curl', write: curlText },
  {
    label: 'fetch',
    write: (calls) =>
      lines(
        `// ${startFirst()}`,
        `const response = await fetch('${http}', {`,
        `  method: 'POST',`,
        `  headers: { 'Content-Type': 'application/json' },`,
        `  body: ${messageExpression(calls)},`,
        '});',
        'console.log(await response.json());',
      ),
  },
  { label: 'polkadot-js', write: polkadotJsText },
  { label: 'PAPI', write: papi },
];
