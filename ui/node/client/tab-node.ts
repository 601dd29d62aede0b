import { createClient } from '../../../src/client.ts';
import type { Connection, StartInfo, TabNode } from '../../../src/index.ts';
import type { Keeps } from '../../kit/text/discarded.ts';
import { isDiscarded } from '../../kit/text/format.ts';
import { isSecretCall } from './secret-calls.ts';
import type { Answer, Remote, UiNode } from './ui-node.ts';

/** The typed client on top of `request` and `subscribe`, so that wrappers of those cover it too. */
const createRpc = ({ request, subscribe }: Pick<UiNode, 'request' | 'subscribe'>): UiNode['rpc'] =>
  createClient({
    request,
    subscribe: async (method, params, onItem, { signal, unsubscribe = '' } = {}) => {
      const { opened, close } = subscribe(method, params, unsubscribe, onItem);
      signal?.addEventListener('abort', close, { once: true });
      await opened;
      return method;
    },
    // Aborting the signal has already ended the subscription.
    unsubscribe: async () => true,
    isOpen: () => true,
  });

const withRpc = (node: Omit<UiNode, 'rpc' | 'with'>): UiNode => ({
  ...node,
  rpc: createRpc(node),
  with: (change) => withRpc({ ...node, ...change }),
});

/** How the devtools hold a node; `end` is called by `stop` and when the connection is lost. */
type Hold = Pick<UiNode, 'isFresh' | 'isElsewhere'> & {
  readonly starting?: Promise<StartInfo>;
  readonly remote?: Remote;
  /** Those that the node lists; null if unknown, undefined for a node in this browser: it has the whole table. */
  readonly methods?: ReadonlySet<string> | null;
  end(): Promise<void>;
};

/** What the last status of a node said, for those that cannot wait for another one. */
const createReported = (
  node: Pick<TabNode, 'info' | 'status'>,
  starting: Promise<StartInfo> | undefined,
): Pick<UiNode, 'status' | 'keeps' | 'base'> => {
  let keeps: Keeps = null;
  let base = node.info.base ?? null;
  starting?.then(
    (info) => {
      base = info.base ?? null;
    },
    () => undefined,
  );
  const status = async () => {
    const now = await node.status();
    keeps = now.statePruning;
    base = now.base ?? null;
    return now;
  };
  return { status, keeps: () => keeps, base: () => base };
};

/** Wraps a node and one of its connections for the devtools. */
export const toUiNode = (
  node: Pick<TabNode, 'info' | 'status' | 'connect' | 'openPort'>,
  connection: Pick<Connection, 'request' | 'subscribe' | 'unsubscribe' | 'isOpen' | 'onClose'>,
  { isFresh, isElsewhere, starting, remote, methods, end }: Hold,
): UiNode => {
  let stopping = false;
  let isDown = false;
  const { status, keeps, base } = createReported(node, starting);
  const explainFault = async (fault: unknown): Promise<unknown> => {
    if (!isDiscarded(fault)) return fault;
    // Without the code, offline for example, the node's own words remain.
    const texts = await import('../../kit/text/discarded.ts').catch(() => null);
    // The error keeps its code, message and data.
    return texts === null
      ? fault
      : Object.assign(fault as Error, { explained: texts.discardedText(keeps(), remote !== undefined) });
  };
  const subscribe: UiNode['subscribe'] = (method, params, unsubscribe, onValue) => {
    let wanted = true;
    const opened = connection.subscribe(method, params, (value) => {
      if (wanted) onValue(value as Parameters<typeof onValue>[0]);
    });
    const id = opened.catch(() => null);
    const close = async (): Promise<void> => {
      wanted = false;
      const known = await id;
      if (known !== null && connection.isOpen())
        await connection.unsubscribe(unsubscribe, known).catch(() => false);
    };
    return { opened: opened.then(() => undefined), close: () => void close() };
  };
  return withRpc({
    info: node.info,
    isFresh,
    ...(starting && { starting }),
    remote: remote ?? null,
    offers: (method) => method === undefined || (methods?.has(method) ?? true),
    isElsewhere,
    request: async <M extends string>(...call: Parameters<Connection['request']>) => {
      try {
        return (await connection.request(...call)) as Answer<M>;
      } catch (fault) {
        throw await explainFault(fault);
      }
    },
    subscribe,
    hasSecret: isSecretCall,
    status,
    base,
    keeps,
    connect: () => node.connect(),
    openPort: (options) => node.openPort(options),
    onDown: (tell) =>
      connection.onClose((reason) => {
        // The first to hear of it may stop the node.
        if (stopping && !isDown) return;
        isDown = true;
        // Frees the worker if only the connection was lost.
        void end();
        tell(reason);
      }),
    stop: async () => {
      stopping = true;
      await end();
    },
  });
};
