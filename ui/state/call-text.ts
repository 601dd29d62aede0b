import { parseJson } from '../../src/protocol/json.ts';

/** A call as it was written. */
export type CallWords = { readonly id: number; readonly method: string; readonly params: string };

/** The call as the JSON-RPC text it was, for pasting elsewhere. */
export const callText = (entry: CallWords): string => {
  const params = /^[[{]/.test(entry.params) ? entry.params : `[${entry.params}]`;
  return `{"jsonrpc":"2.0","id":${entry.id},"method":${JSON.stringify(entry.method)},"params":${params}}`;
};

/** The name that ends a subscription, as the node pairs them (RPC.md §3). */
export const unsubscribeName = (method: string): string | null => {
  if (/unsubscribe|unwatch/i.test(method)) return null;
  if (/_subscribe/.test(method)) return method.replace('_subscribe', '_unsubscribe');
  return method === 'author_submitAndWatchExtrinsic' ? 'author_unwatchExtrinsic' : null;
};

/** Reads the params field: nothing, a JSON array, a JSON object, or bare values between commas. */
export const parseParams = (text: string): readonly unknown[] | object => {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const value: unknown = parseJson(/^[[{]/.test(trimmed) ? trimmed : `[${trimmed}]`);
  return typeof value === 'object' && value !== null ? value : [value];
};
