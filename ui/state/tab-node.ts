import type { Connection, TabNode } from '../../src/index.ts';
import type { Entry } from '../../src/protocol/rpc/define.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';
import type { UiNode } from './ui-node.ts';

/** How the devtools hold a node: `end` is what `stop` and a broken connection do. */
type Hold = { readonly isFresh: boolean; end(): Promise<void> };

/** A node as the devtools use it, over one of its connections. */
export const toUiNode = (node: TabNode, connection: Connection, { isFresh, end }: Hold): UiNode => {
  let stopping = false;
  const subscribe: UiNode['subscribe'] = (method, params, unsubscribe, onValue) => {
    let wanted = true;
    const opened = connection.subscribe(method, params, (value) => {
      if (wanted) onValue(value);
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
  return {
    info: node.info,
    isFresh,
    request: (method, params, options) => connection.request(method, params, options),
    subscribe,
    hasSecret: (method) => (rpcTable as Readonly<Record<string, Entry>>)[method]?.hasSecret === true,
    status: () => node.status(),
    setSeal: async (mode) => {
      await connection.request('dev_setSealMode', [mode]);
    },
    connect: () => node.connect(),
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
  };
};
