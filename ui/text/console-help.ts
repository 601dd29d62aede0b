import { argsText } from '../../src/client.ts';
import type { Entry } from '../../src/protocol/rpc/define.ts';
import { docOf } from '../../src/protocol/rpc/docs/docs.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';

const table: Readonly<Record<string, Entry>> = rpcTable;

const general = `tabnode is the node of this page.

  await tabnode.rpc.chain_getHeader()
  await tabnode.rpc.chain_getBlockHash({ hash: 5 })
  const stop = await tabnode.rpc.chain_subscribeNewHeads({}, (head) => console.log(head.number))
  await tabnode.status()

await tabnode.help('chain') lists methods, await tabnode.help('chain_getBlockHash') shows one method.`;

const usage = (method: string, entry: Entry): string => {
  const isCall = entry.kind === 'call';
  const args = Object.keys(entry.params).length > 0 ? argsText(entry) : isCall ? '' : '{}';
  return `tabnode.rpc.${method}(${args}${isCall ? '' : ', (item) => …'})\n${docOf(method).doc}`;
};

/** The result of `tabnode.help()`: about one method, the methods with a prefix, or the node. */
export const consoleHelp = (word = ''): string => {
  const entry = Object.hasOwn(table, word) ? table[word] : undefined;
  if (entry !== undefined) return usage(word, entry);
  if (word === '') return general;
  const found = Object.keys(table).filter((method) => method.startsWith(word));
  return found.length === 0 ? `No method begins with "${word}".` : found.join('\n');
};
