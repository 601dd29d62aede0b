import { type Endpoint, expose } from 'comlink';
import type { WorkerHost } from '../begin.ts';
import type { ErrorCode } from '../protocol/errors.ts';
import type { NodeControl } from '../protocol/node.ts';
import { type NodePort, nodeEndpoint, onPortMessage } from '../protocol/port.ts';
import type { Led } from './lead.ts';

export const fakeInfo = {
  chainName: 'Fake',
  genesisHash: `0x${'00'.repeat(32)}`,
  bestNumber: 0,
  bestHash: '0x00',
  finalizedNumber: 0,
};

/** Replies to each call with the name of the node. */
const serve = (port: MessagePort, name: string): void =>
  onPortMessage(port, (data) => {
    if (typeof data !== 'string') return;
    const { id } = JSON.parse(data) as { readonly id: number };
    port.postMessage(JSON.stringify({ jsonrpc: '2.0', id, result: name }));
  });

/** A node of another tab. */
export const createLed = (name: string): Led & { readonly opened: () => number } => {
  let opened = 0;
  return {
    info: fakeInfo,
    opened: () => opened,
    openPort: async () => {
      opened += 1;
      const { port1, port2 } = new MessageChannel();
      serve(port2, name);
      return port1;
    },
    status: () => new Promise(() => undefined),
  };
};

const never = () => new Promise<never>(() => undefined);

/** A worker that never replies. */
export const silentControl: NodeControl = {
  start: never,
  prepare: never,
  repair: never,
  stop: never,
  status: never,
  connect: never,
  link: never,
  unlink: never,
  acceptPeer: never,
  listensOn: never,
  importBlocks: never,
};

/** A worker whose start is refused with the code, or whose node replies with its name. */
export const createFakeHost = (
  start: { readonly refuses: ErrorCode } | { readonly name: string },
): WorkerHost => {
  const { port1, port2 } = new MessageChannel();
  const control: NodeControl = {
    ...silentControl,
    stop: async () => undefined,
    start: async () =>
      'refuses' in start
        ? { ok: false, error: { code: start.refuses, message: 'refused', details: {} } }
        : { ok: true, value: fakeInfo },
    connect: async (port) => {
      if ('name' in start) serve(port, start.name);
      return { ok: true, value: null };
    },
  };
  expose(control, nodeEndpoint(port2 as unknown as NodePort));
  return {
    endpoint: port1 as unknown as Endpoint,
    onDeath: () => undefined,
    terminate: () => {
      port1.close();
      port2.close();
    },
  };
};
