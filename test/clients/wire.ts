import { expect } from 'vitest';
import type { DenyUnsafe, Dialect } from '../../src/protocol/node.ts';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';

type Answer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
};
type News = { readonly method: string; readonly items: unknown[] };

/** A client that sends and receives the texts of one WebSocket-like connection itself. */
export type Wire = {
  ask(method: string, ...params: readonly unknown[]): Promise<Answer>;
  /** Returns the result; throws the error. */
  call<T = unknown>(method: string, ...params: readonly unknown[]): Promise<T>;
  /** Subscribes; returns a list of the items so far, to which later ones are added. */
  follow(method: string, ...params: readonly unknown[]): Promise<News & { readonly id: string }>;
  /** Every text received, in order. */
  readonly texts: readonly string[];
  close(): void;
};

/** Opens a connection to a node in the same process. */
export const openWire = (
  node: Pick<Node, 'parts'>,
  options: {
    readonly dialect?: Dialect;
    readonly denyUnsafe?: DenyUnsafe;
    readonly isBlocked?: () => boolean;
  } = {},
): Wire => {
  const server = createRpcServer(node.parts);
  const texts: string[] = [];
  const answers = new Map<number, Answer>();
  const news = new Map<string, { method: string; items: unknown[] }>();
  const newsOf = (id: string, method = ''): { method: string; items: unknown[] } => {
    const found = news.get(id) ?? { method, items: [] };
    if (method !== '') found.method = method;
    news.set(id, found);
    return found;
  };
  const receive = (text: string): void => {
    texts.push(text);
    const message = JSON.parse(text) as Answer & {
      id?: number;
      method?: string;
      params?: { subscription: string; result: unknown };
    };
    if (message.params !== undefined)
      newsOf(message.params.subscription, message.method).items.push(message.params.result);
    else if (message.id !== undefined) answers.set(message.id, message);
  };
  const connection = server.connect(receive, {
    dialect: options.dialect ?? 'polkadot-sdk',
    denyUnsafe: options.denyUnsafe ?? false,
    transport: 'ws',
    ...(options.isBlocked === undefined ? {} : { isBlocked: options.isBlocked }),
  });
  let lastId = 0;
  const ask: Wire['ask'] = async (method, ...params) => {
    const id = ++lastId;
    connection.receive(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    await expect.poll(() => answers.has(id), { interval: 2, timeout: 20_000 }).toBe(true);
    return answers.get(id) as Answer;
  };
  const call: Wire['call'] = async <T>(method: string, ...params: readonly unknown[]) => {
    const { result, error } = await ask(method, ...params);
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as T;
  };
  return {
    ask,
    call,
    follow: async (method, ...params) => {
      const id = await call<string>(method, ...params);
      return Object.assign(newsOf(id), { id });
    },
    texts,
    close: () => server.close(),
  };
};
