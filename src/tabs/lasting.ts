import { type Begun, beginNodeIn, type NodeOptions, prepareIn, type WorkerHost } from '../begin.ts';
import type { NodeError } from '../protocol/errors.ts';
import type { TabNode } from '../start.ts';
import { openShared, type Shared } from './open-shared.ts';
import { keepStandby, type Standby } from './standby.ts';

/** Whether the chain continues: the tab that ran it is gone, or another one runs it now. */
const goesOn = ({ isElsewhere, ended }: Shared): boolean =>
  isElsewhere || (ended.reason as NodeError).code === 'ChainInUse';

/**
 * A node of several tabs that outlasts each of them. When the tab that runs it ends, connections end with `Disconnected`, and
 * `connect`, `openPort` and `status` wait for the next one; `rpc` and `connection` are those of the tab that runs it now.
 */
export const openLasting = async (
  chain: string,
  options: NodeOptions,
  createHost: () => WorkerHost,
): Promise<TabNode> => {
  let standby: Standby | null = null;
  let isStopped = false;
  const begin = (host: WorkerHost, seizes: boolean): Begun => beginNodeIn(host, options, seizes);
  const prepare = (): WorkerHost => prepareIn(createHost(), options);
  const open = async (): Promise<Shared> => {
    const { host, seizes } = standby?.take() ?? { host: createHost(), seizes: false };
    const begun = begin(host, seizes);
    const shared = await openShared(begun, chain, () => begin(createHost(), true));
    standby = shared.isElsewhere ? keepStandby(chain, shared.ended, prepare) : null;
    shared.ended.addEventListener('abort', () => {
      if (isStopped || !goesOn(shared)) return;
      current = open().then((next) => {
        now = next;
        return next;
      });
      // Callers of `connect` get the error.
      current.catch(() => undefined);
    });
    return shared;
  };
  let now = await open();
  let current = Promise.resolve(now);
  const use = async <T>(call: (node: TabNode) => Promise<T>): Promise<T> => {
    // Connections may report their end before the next node is begun.
    await null;
    const shared = await current;
    try {
      return await call(shared.node);
    } catch (fault) {
      // Its tab was closing already.
      if (isStopped || !shared.ended.aborted || !goesOn(shared)) throw fault;
      return use(call);
    }
  };
  return {
    info: now.node.info,
    get connection() {
      return now.node.connection;
    },
    get rpc() {
      return now.node.rpc;
    },
    connect: (choice) => use((node) => node.connect(choice)),
    openPort: (choice) => use((node) => node.openPort(choice)),
    snapshot: (name) => now.node.snapshot(name),
    restore: (snapshot) => now.node.restore(snapshot),
    status: () => use((node) => node.status()),
    stop: async () => {
      isStopped = true;
      standby?.take()?.host.terminate();
      await (await current.catch(() => null))?.node.stop();
    },
  };
};
