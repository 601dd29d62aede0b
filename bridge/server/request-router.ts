import type { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { maxPageCallMs } from '../../src/protocol/limits.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import type { RpcSettings } from '../cli/rpc-settings.ts';
import { createAdmission } from './access.ts';
import { createHttpCalls } from './http-calls.ts';
import { createHttpHandler, type Directory, type ListenerRights } from './http-handler.ts';
import { createInputBudget } from './input-budget.ts';
import type { OpenPort } from './local-ports.ts';
import { createOutputBudget } from './output-budget.ts';
import { createWsHandler } from './ws-handler.ts';

/**
 * Present if a front serves the nodes of pages instead of one node. The pages connect at the clients'
 * addresses.
 */
export type PageRoutes = Directory & {
  isPage(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
};

export type RouterOptions = {
  readonly dialect: Dialect;
  readonly rpc: RpcSettings;
  readonly pages?: PageRoutes | null;
  /** How long a page's node may take for a call over HTTP. */
  readonly pageCallMs?: number;
};

/** Handles client requests, independent of the address they arrive at. */
export type RequestRouter = {
  request(listener: ListenerRights, request: IncomingMessage, response: ServerResponse): void;
  upgrade(listener: ListenerRights, request: IncomingMessage, stream: Duplex, head: Buffer): void;
  /** Closes the WebSockets. */
  close(): void;
  /** Ends the HTTP calls in progress. */
  closeCalls(): void;
};

export const createRequestRouter = (
  openPort: OpenPort,
  { dialect, rpc, pages = null, pageCallMs = maxPageCallMs }: RouterOptions,
): RequestRouter => {
  const withinMs = pages === null ? null : pageCallMs;
  const calls = createHttpCalls(openPort, { limits: rpc.limits, withinMs });
  const admission = createAdmission(rpc.maxConnections);
  const bounds = { inputBudget: createInputBudget(), outputBudget: createOutputBudget() };
  const options = { dialect, rpc, admission, ...bounds, directory: pages };
  const ws = createWsHandler(openPort, options);
  return {
    request: createHttpHandler(calls, options),
    upgrade: (listener, request, stream, head) => {
      if (pages?.isPage(request) === true) pages.upgrade(request, stream, head);
      else ws.upgrade(listener, request, stream, head);
    },
    close: ws.close,
    closeCalls: calls.close,
  };
};
