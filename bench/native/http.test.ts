import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHttp } from './http.ts';

type Request = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

const answerTo = ({ id, method, params }: Request): object =>
  method === 'refuse' && params[0] !== 'x' ? { id, error: { message: 'no' } } : { id, result: params };

/** A server that returns the parameters, and how many connections it has had. */
const open = async (respond: (body: unknown) => unknown) => {
  let connections = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => response.end(JSON.stringify(respond(JSON.parse(text)))));
  }).on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const http = openHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(http.close);
  return { http, connections: () => connections };
};

const respond = (body: unknown): unknown =>
  Array.isArray(body) ? body.map(answerTo) : answerTo(body as Request);

describe('calls over one HTTP connection', () => {
  it('have results, and share the connection', async () => {
    const { http, connections } = await open(respond);
    expect(await http.call('echo', 1, 'ä')).toEqual([1, 'ä']);
    await http.batch('echo', [[1], [2]]);
    expect(connections()).toBe(1);
  });

  it('throw what the node refuses, also one of a batch', async () => {
    const { http } = await open(respond);
    await expect(http.call('refuse')).rejects.toThrow('refuse: {"message":"no"}');
    await expect(http.batch('refuse', [['x'], ['y']])).rejects.toThrow('"no"');
  });

  it('throw if a batch has another number of answers', async () => {
    const { http } = await open((body) => (body as Request[]).slice(1).map(answerTo));
    await expect(http.batch('echo', [[1], [2]])).rejects.toThrow('echo');
  });
});
