import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { serving } from '../../bridge/clients/serving.fixture.ts';
import { type Connection, createConnection } from '../../src/connection.ts';
import { maxRequestBytes } from '../../src/protocol/limits.ts';
import { openRemote } from '../../src/remote.ts';
import { openSocket, toPort } from '../../src/remote-socket.ts';
import { startDevNode } from '../rigs/dev-node.ts';
import { openPort } from '../rigs/ports.ts';

const mebibyte = 1024 * 1024;
const count = 40_000;

/** Resolves to the number of calls of each outcome: the method's result or the code of an error. */
const countOutcomes = async (promises: readonly Promise<unknown>[]): Promise<Map<unknown, number>> => {
  const counts = new Map<unknown, number>();
  for (const result of await Promise.allSettled(promises)) {
    const outcome =
      result.status === 'fulfilled' ? result.value : (result.reason as { readonly code: unknown }).code;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return counts;
};

/** One call with a parameter of `size` characters, and many small ones after it. */
const flood = async ({ request }: Connection, size: number) => {
  const big = request('system_chain', ['x'.repeat(size)]).catch(
    ({ code }: { readonly code: unknown }) => code,
  );
  const small = countOutcomes(Array.from({ length: count }, () => request('system_chain', [])));
  return { big: await big, small: await small };
};

describe(`${count} calls beside one that is too large`, () => {
  it('settle on a node of the page', async () => {
    const { node, stop } = await startDevNode();
    const port = openPort(node);
    // The node reads it in slices, and only so many others may wait meanwhile.
    const { big, small } = await flood(port, 16 * mebibyte);
    expect(big).toBe('Development');
    expect([...small.keys()].sort()).toEqual([-32009, 'Development']);
    expect((small.get(-32009) ?? 0) + (small.get('Development') ?? 0)).toBe(count);
    port.shut();
    await stop();
  });

  describe('over a WebSocket', () => {
    const node = serving('--tmp', '--rpc-max-request-size', '1');
    beforeAll(() => {
      vi.stubGlobal('location', new URL('http://localhost/'));
      vi.stubGlobal('document', new EventTarget());
    });
    afterAll(() => {
      vi.unstubAllGlobals();
    });

    it.each([
      ['and is refused before it is sent', 16, -32007],
      ['and is refused by the node, which says which it is', 2, -32007],
    ])('settle, %s', async (_, size, code) => {
      const remote = await openRemote(node().ready.ws);
      const { big, small } = await flood(remote.connection, size * mebibyte);
      expect(big).toBe(code);
      expect((small.get('Development') ?? 0) + (small.get(-32009) ?? 0)).toBe(count);
      expect(small.get('Development')).toBeGreaterThan(0);
      remote.connection.close();
    });

    it('settle if the node does not say which it refused', async () => {
      // As jsonrpsee does: refusals have no id, and come before the responses to earlier calls.
      const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
      server.on('connection', (socket) =>
        socket.on('message', (data: Uint8Array) => {
          if (data.length > mebibyte) {
            const error = {
              code: -32007,
              message: 'Request is too big',
              data: `Exceeded max limit of ${mebibyte}`,
            };
            socket.send(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
          } else {
            const { id } = JSON.parse(new TextDecoder().decode(data)) as { readonly id: number };
            setImmediate(() => socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: 'Foreign' })));
          }
        }),
      );
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      const socket = await openSocket(new URL(`ws://127.0.0.1:${port}`));
      const connection = createConnection(toPort(socket), { maxRequestBytes });
      const { big, small } = await flood(connection, 2 * mebibyte);
      expect([big, small]).toEqual([-32007, new Map([['Foreign', count]])]);
      connection.close();
      await new Promise((resolve) => server.close(resolve));
    });
  });
});
