import { type RecordedMessage, readRecording } from '../../../../src/index.ts';
import { parseJson, writeJson } from '../../../../src/protocol/json.ts';
import type { RpcTable } from '../../../../src/protocol/rpc/define.ts';
import { createRoutes, rpcTable } from '../../../../src/protocol/rpc/index.ts';
import { createClientReader, type TrafficItem } from '../../../node/client/other-clients.ts';
import { Traffic } from '../../../node/client/traffic.svelte.ts';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The messages of a text: one, or those of a batch; empty if it cannot be parsed. */
const readElements = (text: string): readonly Fields[] => {
  try {
    const value = parseJson(text);
    return (Array.isArray(value) ? value : [value]).filter(isRecord);
  } catch {
    return [];
  }
};

const noteId = (fields: Fields): string | null => {
  const { method, params } = fields;
  const id = method !== undefined && isRecord(params) ? params['subscription'] : undefined;
  return id === undefined ? null : String(id);
};

type Parsed = RecordedMessage & { readonly fields: Fields; readonly isSingle: boolean };

/** Reads a recorded log, read-only; throws NodeError `BadRecording`. */
export const readTraffic = (recording: string): Traffic => {
  const messages: readonly Parsed[] = readRecording(recording).flatMap((message) => {
    const elements = readElements(message.text);
    const list = elements.length === 0 ? [{}] : elements;
    return list.map((fields) => ({ ...message, fields, isSingle: list.length === 1 }));
  });
  const noted = new Set(messages.map(({ fields }) => noteId(fields)));
  const routes = createRoutes(rpcTable as RpcTable);
  const asked = new Map<string, { readonly call: number; readonly method: string; readonly atMs: number }>();
  let lastCall = 0;

  const toItem = ({ client, atMs, direction, text, fields, isSingle }: Parsed): TrafficItem => {
    const shown = isSingle ? text : writeJson(fields);
    const base = {
      connection: client,
      transport: 'client',
      atMs,
      call: null,
      method: null,
      subscription: null,
      ms: null,
      isError: false,
      length: shown.length,
      text: shown,
    };
    const key = `${client}:${writeJson(fields['id'] ?? null)}`;
    const method = typeof fields['method'] === 'string' ? fields['method'] : null;
    const params = fields['params'];
    if (direction === 'out') {
      const call = ++lastCall;
      asked.set(key, { call, method: method ?? '', atMs });
      const ends = method !== null && routes.get(method)?.kind === 'unsubscribe' && Array.isArray(params);
      return { ...base, kind: 'request', call, method, subscription: ends ? String(params[0]) : null };
    }
    const subscription = noteId(fields);
    if (subscription !== null) return { ...base, kind: 'notification', method, subscription };
    const request = asked.get(key);
    asked.delete(key);
    const result = fields['result'];
    const kind = routes.get(request?.method ?? '')?.kind;
    const opens = typeof result === 'string' && (kind === 'subscribe' || noted.has(result));
    return {
      ...base,
      kind: 'answer',
      call: request?.call ?? null,
      method: request?.method ?? null,
      subscription: opens ? result : null,
      ms: request === undefined ? null : atMs - request.atMs,
      isError: fields['error'] !== undefined,
    };
  };

  const all = Number.POSITIVE_INFINITY;
  const traffic = new Traffic(undefined, { own: 0, exchanges: all, open: all, notes: all, weight: all });
  createClientReader(traffic)({ items: messages.map(toItem), dropped: 0 });
  return traffic;
};
