import type { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { maxPageCallMs } from '../../src/protocol/limits.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import type { RpcSettings } from '../cli/rpc-settings.ts';
import { createAdmission } from './access.ts';
import { createHttpCalls } from './http-calls.ts';
import { createHttpFront, type Directory, type Listener } from './http-front.ts';
import { createIntake } from './intake.ts';
import type { OpenPort } from './local-ports.ts';
import { createOutgo } from './outgo.ts';
import { createWsFront } from './ws-front.ts';

/**
 * Present if a front serves the nodes of pages instead of one node. The pages connect at the clients'
 * addresses.
 */
export type PageDoor = Directory & {
  isPage(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
};

export type FrontOptions = {
  readonly dialect: Dialect;
  readonly rpc: RpcSettings;
  readonly pages?: PageDoor | null;
  /** How long a page's node may take for a call over HTTP. */
  readonly pageCallMs?: number;
};

/** Handles client requests, independent of the address they arrive at. */
export type Front = {
  request(listener: Listener, request: IncomingMessage, response: ServerResponse): void;
  upgrade(listener: Listener, request: IncomingMessage, stream: Duplex, head: Buffer): void;
  /** Closes the WebSockets. */
  close(): void;
  /** Ends the HTTP calls in progress. */
  closeCalls(): void;
};

export const createFront = (
  openPort: OpenPort,
  { dialect, rpc, pages = null, pageCallMs = maxPageCallMs }: FrontOptions,
): Front => {
  const withinMs = pages === null ? null : pageCallMs;
  const calls = createHttpCalls(openPort, { limits: rpc.limits, withinMs });
  const admission = createAdmission(rpc.maxConnections);
  const bounds = { intake: createIntake(), outgo: createOutgo() };
  const options = { dialect, rpc, admission, ...bounds, directory: pages };
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
