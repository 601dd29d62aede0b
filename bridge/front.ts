import type { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dialect } from '../src/protocol/node.ts';
import { createAdmission } from './access.ts';
import { createHttpCalls } from './http-calls.ts';
import { createHttpFront, type Directory, type Listener } from './http-front.ts';
import { createIntake } from './intake.ts';
import type { OpenPort } from './local-ports.ts';
import type { RpcSettings } from './rpc-settings.ts';
import { createWsFront } from './ws-front.ts';

/** The pages whose nodes are behind a front, instead of one node; they connect where its clients do. */
export type PageDoor = Directory & {
  isPage(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
};

export type FrontOptions = {
  readonly dialect: Dialect;
  readonly rpc: RpcSettings;
  readonly pages?: PageDoor | null;
};

/** What handles the requests of clients, at whichever addresses they come in. */
export type Front = {
  request(listener: Listener, request: IncomingMessage, response: ServerResponse): void;
  upgrade(listener: Listener, request: IncomingMessage, stream: Duplex, head: Buffer): void;
  /** Closes the WebSockets. */
  close(): void;
  /** Ends the calls in progress. */
  closeCalls(): void;
};

export const createFront = (openPort: OpenPort, { dialect, rpc, pages = null }: FrontOptions): Front => {
  const calls = createHttpCalls(openPort, { limits: rpc.limits });
  const admission = createAdmission(rpc.maxConnections);
  const options = { dialect, rpc, admission, intake: createIntake(), directory: pages };
  const ws = createWsFront(openPort, options);
  return {
    request: createHttpFront(calls, options),
    upgrade: (listener, request, stream, head) => {
      if (pages?.isPage(request) === true) pages.upgrade(request, stream, head);
      else ws.upgrade(listener, request, stream, head);
    },
    close: ws.close,
    closeCalls: calls.close,
  };
};
