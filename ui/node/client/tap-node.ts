import { isLost } from '../../kit/text/format.ts';
import { type Exchange, textBody, valueBody } from './exchange.ts';
import { isAct, type Traffic } from './traffic.svelte.ts';
import type { UiNode, UiSubscription } from './ui-node.ts';

/** Records every exchange of this page, without secrets. Reads count as its own, unless the user `asked`. */
export const tapNode = (node: UiNode, traffic: Traffic, asked = false, client = 'devtools'): UiNode => {
  const open = (kind: Exchange['kind'], method: string, params: readonly unknown[]) => {
    const isSecret = node.hasSecret(method, params);
    const exchange = traffic.open(kind, {
      client,
      method,
      isOwn: !asked && !isAct(method),
      ask: isSecret ? textBody('"(hidden)"') : valueBody(params),
      atMs: Date.now(),
    });
    let startMs = performance.now();
    // A node that is still starting takes the call once it runs.
    node.starting?.then(
      () => {
        startMs = performance.now();
        exchange.atMs = Date.now();
      },
      () => undefined,
    );
    const settle = (state: 'ok' | 'error' | 'open', value?: unknown): void =>
      traffic.answer(exchange, {
        state: isLost(value) ? 'unanswered' : state,
        // The words of a decoder that refuses an argument often have the argument in them.
        answer:
          value === undefined
            ? null
            : isSecret && state === 'error'
              ? textBody('"(hidden)"')
              : valueBody(value),
        ms: performance.now() - startMs,
      });
    return { exchange, settle };
  };
  return node.with({
    request: async (method, params, options) => {
      const { settle } = open('call', method, params);
      try {
        const value = await node.request(method, params, options);
        settle('ok', value ?? null);
        return value;
      } catch (fault) {
        settle('error', fault);
        throw fault;
      }
    },
    subscribe: (method, params, unsubscribe, onValue): UiSubscription => {
      const { exchange, settle } = open('subscription', method, params);
      const subscription = node.subscribe(method, params, unsubscribe, (value) => {
        traffic.note(exchange, valueBody(value), Date.now());
        onValue(value);
      });
      subscription.opened.then(
        () => {
          if (exchange.state === 'pending') settle('open');
        },
        (fault: unknown) => settle('error', fault),
      );
      return {
        opened: subscription.opened,
        close: () => {
          subscription.close();
          traffic.close(exchange);
        },
      };
    },
  });
};
