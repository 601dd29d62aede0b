// docs/rpc.md: the method table as a readable page.
import { writeJson } from '../../src/protocol/json.ts';
import { type Entry, markingOf } from '../../src/protocol/rpc/define.ts';
import { docOf } from '../../src/protocol/rpc/docs/docs.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';
import { resultOf } from '../../src/protocol/rpc/results/results.ts';
import { differences } from './rpc-differences.ts';

const intro = `# JSON-RPC

Generated from the method table by \`npm run docs\`; do not edit. The same content is available as an OpenRPC document:
[openrpc.json](openrpc.json), or \`rpc.discover\` on a running node.

Parameters are passed by position or by name. Each connection selects a dialect (\`psp-6\`, the default, or
\`polkadot-sdk\`) with \`?dialect=\` in the URL. An unsafe method returns -32601 on a connection that denies unsafe calls.
The operator, not the client, decides which connections deny them, and which dialect's marking applies: see
[security.md](security.md).`;

const paramsOf = ({ params }: Entry): string => {
  const names = Object.entries(params).map(
    ([name, { kind, isOptional }]) => `\`${name}\`${isOptional ? '?' : ''} (${kind})`,
  );
  return names.length === 0 ? 'none' : names.join(', ');
};

const safetyOf = (entry: Entry): string => {
  const [own, sdk] = [markingOf(entry, 'psp-6'), markingOf(entry, 'polkadot-sdk')];
  if (entry.sdkUnsafeWithout !== undefined)
    return `${own}; under polkadot-sdk unsafe without \`${entry.sdkUnsafeWithout}\``;
  return own === sdk ? own : `${own} under psp-6, ${sdk} under polkadot-sdk`;
};

const shorten = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)}…` : text);

const exampleOf = (name: string, { params }: Entry): string[] => {
  const { example } = docOf(name);
  if (example === undefined) return [];
  const values = Object.keys(params).map((param) => example[param]);
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  const request = `{"method":"${name}","params":${writeJson(values.map((value) => value ?? null))}}`;
  return ['', '```json', shorten(request), shorten(`{"result":${writeJson(resultOf(name).example)}}`), '```'];
};

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const sectionOf = (name: string, entry: Entry): string => {
  const { doc, deprecated } = docOf(name);
  const lines = [
    `### ${name}`,
    '',
    doc,
    '',
    `- Parameters: ${paramsOf(entry)}`,
    `- Safety: ${safetyOf(entry)}`,
  ];
  if (entry.aliases !== undefined) lines.push(`- Aliases: ${quoted(entry.aliases)}`);
  if (entry.kind === 'subscription') {
    const ends = [entry.unsubscribe, ...(entry.unsubscribeAliases ?? [])];
    lines.push(`- Notifications: \`${entry.event}\`; ended by ${quoted(ends)}`);
  }
  if (entry.needsApi !== undefined) lines.push(`- Requires: the runtime API \`${entry.needsApi}\``);
  if (deprecated !== undefined) lines.push(`- Deprecated: ${deprecated}`);
  return [...lines, ...exampleOf(name, entry)].join('\n');
};

const differencesPart = (): string => {
  const rows = differences.map(({ names, reason }) => `| ${names} | ${reason} |`);
  const lead =
    'The node has every method that a polkadot-sdk 2609.2.0 full node lists. These optional or draft methods are missing:';
  return [
    '## Methods that are not available',
    '',
    lead,
    '',
    '| names | why |',
    '| --- | --- |',
    ...rows,
  ].join('\n');
};

/** The page for the table, sorted by name, with one part per namespace. */
export const createRpcPage = (): string => {
  const sorted = Object.entries<Entry>(rpcTable).sort(([a], [b]) => (a < b ? -1 : 1));
  const groups = Map.groupBy(sorted, ([name]) => name.split(/[_.]/, 1)[0] as string);
  const parts = [...groups].map(([namespace, entries]) =>
    [`## ${namespace}`, ...entries.map(([name, entry]) => sectionOf(name, entry))].join('\n\n'),
  );
  return `${[intro, ...parts, differencesPart()].join('\n\n')}\n`;
};
