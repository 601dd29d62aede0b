import { type Exchange, textBody } from './exchange.ts';
import { isAct, type Traffic } from './traffic.svelte.ts';
import type { Answer, UiNode } from './ui-node.ts';

type Reported = Answer<'dev_subscribeTraffic'>['items'][number];
/** One message of another client, or of a recording. */
export type TrafficItem = Omit<Reported, 'id' | 'dialect' | 'transport'> & { readonly transport: string };
export type TrafficBatch = { readonly items: readonly TrafficItem[]; readonly dropped: number };
type Read = (batch: TrafficBatch) => void;

const logs = 'dev_subscribeTraffic';
const stop = 'dev_unsubscribeTraffic';
const bodyOf = ({ text, length }: TrafficItem) => textBody(text, length);
const keyOf = (item: TrafficItem): string => `${item.connection}:${item.subscription}`;

/**
 * Logs other clients' messages: matches responses to requests, and notifications to subscriptions. `greet` is called
 * whenever the devtools of another tab begin to listen.
 */
export const createClientReader = (traffic: Traffic, greet?: () => void): Read => {
  const pending = new Map<number, { readonly exchange: Exchange; readonly ends: string | null }>();
  const open = new Map<string, Exchange>();
  /** Connections of the devtools of other tabs. */
  const devtools = new Set<number>();
  const nameOf = ({ connection, transport }: TrafficItem): string =>
    `${devtools.has(connection) ? 'other devtools' : transport} ${connection}`;
  const start = (item: TrafficItem, kind: Exchange['kind']): Exchange =>
    traffic.open(kind, {
      client: nameOf(item),
      method: item.method ?? 'unreadable',
      isOwn: devtools.has(item.connection) && !isAct(item.method ?? ''),
      ask: kind === 'call' ? bodyOf(item) : textBody(''),
      atMs: item.atMs,
    });
  const end = (key: string): void => {
    const exchange = open.get(key);
    open.delete(key);
    if (exchange !== undefined) traffic.close(exchange);
  };
  const ask = (item: TrafficItem): void => {
    // As followClients does; a recording asks for whole texts.
    if (/subscribeTraffic","params":\[("")?]/.test(item.text)) {
      if (item.method === logs) greet?.();
      const before = nameOf(item);
      devtools.add(item.connection);
      traffic.rename(before, nameOf(item));
    }
    // A call that names a subscription ends it; a subscribe call gets the id from its response.
    const ends = item.subscription === null ? null : keyOf(item);
    pending.set(item.call ?? -1, { exchange: start(item, 'call'), ends });
  };
  const answer = (item: TrafficItem): void => {
    const asked = pending.get(item.call ?? -1);
    if (asked === undefined) return;
    pending.delete(item.call ?? -1);
    const { exchange, ends } = asked;
    if (ends !== null) end(ends);
    else if (item.subscription !== null) {
      exchange.kind = 'subscription';
      open.set(keyOf(item), exchange);
    }
    const state = item.isError ? 'error' : exchange.kind === 'subscription' ? 'open' : 'ok';
    traffic.answer(exchange, { state, answer: bodyOf(item), ms: item.ms });
  };
  const note = (item: TrafficItem): void => {
    let exchange = open.get(keyOf(item));
    if (exchange === undefined) {
      // It was opened before this page started to listen.
      exchange = start(item, 'subscription');
      open.set(keyOf(item), exchange);
      traffic.answer(exchange, { state: 'open', answer: null, ms: null });
    }
    traffic.note(exchange, bodyOf(item), item.atMs);
  };
  const leave = (item: TrafficItem): void => {
    for (const key of open.keys()) if (key.startsWith(`${item.connection}:`)) end(key);
    for (const [call, { exchange }] of pending) {
      if (exchange.client !== nameOf(item)) continue;
      pending.delete(call);
      traffic.close(exchange);
    }
  };

  return ({ items, dropped }) => {
    for (const item of items) {
      if (item.kind === 'request') ask(item);
      else if (item.kind === 'answer') answer(item);
      else if (item.kind === 'notification') note(item);
      else leave(item);
    }
    if (dropped > 0) traffic.miss(dropped);
  };
};

/**
 * Logs the traffic of the node's other clients until the returned function is called. If the node does not
 * report it, only this page's own calls are logged.
 */
export const followClients = (node: UiNode, traffic: Traffic): (() => void) => {
  // Devtools that begin to listen later have not seen this tab's request. This ends no subscription.
  const greet = () => void node.request(stop, ['']).catch(() => undefined);
  const subscription = node.subscribe(logs, [], stop, createClientReader(traffic, greet));
  subscription.opened.catch(() => undefined);
  return subscription.close;
};
