import { writeGivenJson, writeJson } from '../../../src/protocol/json.ts';
import { maxTrafficCharacters, maxTrafficItems } from '../../../src/protocol/limits.ts';
import { hasSecret, type Result } from '../../../src/protocol/rpc/define.ts';
import type { Route } from '../../../src/protocol/rpc/index.ts';
import type { traffic as table } from '../../../src/protocol/rpc/traffic.ts';
import type { Message } from './message.ts';
import type { RateClock } from './rate-limit.ts';

type Batch = Result<(typeof table)['dev_subscribeTraffic']>;
type Item = Batch['items'][number];
type Party = Pick<Item, 'connection' | 'transport' | 'dialect'>;
type Draft = Pick<Item, 'kind'> & Partial<Item> & { readonly text: string };

/** Observes the messages of one connection. Without listeners, it costs one comparison. */
export type TrafficTap = {
  /**
   * Called for each received message, single or in a batch. Returns a function to call with the text of the
   * response, or null for none. Returns null without listeners.
   */
  onRequest(message: Message, text: string | null): ((answer: string | null) => void) | null;
  onNotification(event: string, subscription: string, text: string): void;
  closed(): void;
};

export type Listening = {
  /** The listener's own connection, which is omitted unless `own` is set. */
  readonly connection: number;
  readonly own: boolean;
  readonly textLimit: number;
};

/** All JSON-RPC messages of a server, for its listeners. */
export type Traffic = {
  join(party: Party): TrafficTap;
  follow(listening: Listening, emit: (batch: Batch) => void): () => void;
};

const ownEvent = 'dev_traffic';
const batchMs = 50;

const blank = {
  call: null,
  id: null,
  method: null,
  subscription: null,
  ms: null,
  isError: false,
} as const;

/** Collects messages for one listener, and sends them at most every 50 ms and at the end. */
const createBatches = (clock: RateClock, textLimit: number, emit: (batch: Batch) => void) => {
  const maxCharacters = Math.max(maxTrafficCharacters, 2 * textLimit);
  let items: Item[] = [];
  let characters = 0;
  let dropped = 0;
  let isWaiting = false;
  const flush = (): void => {
    isWaiting = false;
    if (items.length === 0) return;
    const batch = { items, dropped };
    items = [];
    characters = 0;
    dropped = 0;
    emit(batch);
  };
  return {
    add: (item: Item): void => {
      const text = item.text.slice(0, textLimit);
      if (items.length >= maxTrafficItems || characters + text.length > maxCharacters) {
        dropped += 1;
        return;
      }
      characters += text.length;
      items.push({ ...item, text });
      if (isWaiting) return;
      isWaiting = true;
      void clock.sleep(batchMs).then(flush);
    },
    flush,
  };
};

const hiddenText = (id: string | null, method: string): string =>
  `{"jsonrpc":"2.0","id":${id ?? 'null'},"method":${writeJson(method)},"params":"(hidden)"}`;

/** The id in the response to a subscribe call. */
const openedId = (answer: string): string | null => /"result":"([^"]*)"\}$/.exec(answer)?.[1] ?? null;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

type Routes = ReadonlyMap<string, Route>;

/** What may be shown of an incoming message. */
const createShownText = (routes: Routes) => {
  const secretNames = [...routes]
    .filter(([, { entry }]) => hasSecret(entry))
    .map(([name]) => lettersOf(name.slice(name.indexOf('_'))));
  return (message: Message, text: string | null, id: string | null): string => {
    if (message.kind === 'request') {
      const { method, params } = message;
      // A misspelled name may be that of a method with secrets, so the parameters of unknown methods are hidden.
      const route = routes.get(method);
      if (route === undefined || hasSecret(route.entry)) return hiddenText(id, method);
      return text ?? writeGivenJson({ jsonrpc: '2.0', id: message.id, method, params });
    }
    // Nothing is known about a text that could not be parsed, so it is hidden if it contains the name of a
    // method with secrets in any spelling, or an escape that may be part of one.
    const isSecret =
      text !== null && (text.includes('\\u') || secretNames.some((name) => lettersOf(text).includes(name)));
    return isSecret ? '"(hidden)"' : (text ?? '');
  };
};

/** The properties of a message that do not depend on its outcome. */
const readMessage = (routes: Routes, message: Message) => {
  const id = 'id' in message ? writeJson(message.id) : null;
  if (message.kind !== 'request') return { id, method: null, opens: false, ended: null };
  const { method, params } = message;
  const kind = routes.get(method)?.kind;
  const first: unknown = Array.isArray(params) ? params[0] : null;
  const ended = kind === 'unsubscribe' && typeof first === 'string' ? first : null;
  return { id, method, opens: kind === 'subscribe', ended };
};

export const createTraffic = (routes: Routes, clock: RateClock): Traffic => {
  const listeners = new Set<{ readonly listening: Listening; readonly add: (item: Item) => void }>();
  const shownText = createShownText(routes);
  let lastCall = 0;

  const report = (party: Party, draft: Draft): void => {
    const atMs = performance.timeOrigin + clock.now();
    const item: Item = { ...blank, ...party, atMs, length: draft.text.length, ...draft };
    for (const { listening, add } of listeners)
      if (listening.own || listening.connection !== party.connection) add(item);
  };

  const ask = (party: Party, message: Message, text: string | null) => {
    const { id, method, opens, ended } = readMessage(routes, message);
    const known = { call: ++lastCall, id, method, subscription: ended };
    report(party, { kind: 'request', ...known, text: shownText(message, text, id) });
    const startMs = clock.now();
    return (answer: string | null): void => {
      if (answer === null) return;
      const subscription = opens ? openedId(answer) : ended;
      const isError = answer.startsWith(`{"jsonrpc":"2.0","id":${id ?? 'null'},"error"`);
      const ms = clock.now() - startMs;
      report(party, { kind: 'answer', ...known, subscription, ms, isError, text: answer });
    };
  };

  return {
    join: (party) => ({
      onRequest: (message, text) => (listeners.size === 0 ? null : ask(party, message, text)),
      onNotification: (event, subscription, text) => {
        if (listeners.size === 0 || event === ownEvent) return;
        report(party, { kind: 'notification', method: event, subscription, text });
      },
      closed: () => {
        if (listeners.size > 0) report(party, { kind: 'close', text: '' });
      },
    }),
    follow: (listening, emit) => {
      const batches = createBatches(clock, listening.textLimit, emit);
      const listener = { listening, add: batches.add };
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        batches.flush();
      };
    },
  };
};
