import { createClient } from '../../src/client.ts';
import type { Connection, TabNode } from '../../src/index.ts';
import type { Entry } from '../../src/protocol/rpc/define.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';
import type { Answer, Remote, UiNode } from './ui-node.ts';

/** The typed client over the node's own calls and subscriptions: what looks at those sees these too. */
const createRpc = ({ request, subscribe }: Pick<UiNode, 'request' | 'subscribe'>): UiNode['rpc'] =>
  createClient({
    request,
    subscribe: async (method, params, onItem, { signal, unsubscribe = '' } = {}) => {
      const { opened, close } = subscribe(method, params, unsubscribe, onItem);
      signal?.addEventListener('abort', close, { once: true });
      await opened;
      return method;
    },
    // The signal has ended it.
    unsubscribe: async () => true,
    isOpen: () => true,
  });

const withRpc = (node: Omit<UiNode, 'rpc' | 'with'>): UiNode => ({
  ...node,
  rpc: createRpc(node),
  with: (change) => withRpc({ ...node, ...change }),
});

/** How the devtools hold a node: `end` is what `stop` and a broken connection do. */
type Hold = Pick<UiNode, 'isFresh' | 'isElsewhere'> & {
  readonly remote?: Remote;
  /** The methods that it lists; all those of the table where it is a node of this browser. */
  readonly methods?: ReadonlySet<string> | null;
  end(): Promise<void>;
};

/** A node as the devtools use it, over one of its connections. */
export const toUiNode = (
  node: Pick<TabNode, 'info' | 'status' | 'connect' | 'openPort'>,
  connection: Connection,
  { isFresh, isElsewhere, remote, methods, end }: Hold,
): UiNode => {
  let stopping = false;
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
    remote: remote ?? null,
    offers: (method) => methods?.has(method) ?? true,
    isElsewhere,
    request: async <M extends string>(...call: Parameters<Connection['request']>) =>
      (await connection.request(...call)) as Answer<M>,
    subscribe,
    hasSecret: (method) => (rpcTable as Readonly<Record<string, Entry>>)[method]?.hasSecret === true,
    status: () => node.status(),
    connect: () => node.connect(),
    openPort: (options) => node.openPort(options),
    onDown: (tell) =>
      connection.onClose((reason) => {
        if (stopping) return;
        // Frees the worker when it was only the connection that broke.
        void end();
        tell(reason);
      }),
    stop: async () => {
      stopping = true;
      await end();
    },
  });
};
