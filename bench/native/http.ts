import { Agent, request } from 'node:http';

type Answer = { readonly result?: unknown; readonly error?: { readonly message: string } };

/** JSON-RPC over one HTTP connection, which is kept open until `close`. */
export const openHttp = (url: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (body: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(url, { agent, method: 'POST', headers }, (response) => {
        const parts: Uint8Array[] = [];
        response.on('data', (part: Uint8Array) => parts.push(part)).once('error', reject);
        response.once('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())));
      });
      sent.once('error', reject);
      sent.end(body);
    });
  const resultOf = ({ result, error }: Answer, method: string): unknown => {
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const bodyOf = (method: string, params: readonly unknown[], id: number) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });
  return {
    call: async <T>(method: string, ...params: readonly unknown[]): Promise<T> =>
      resultOf((await post(JSON.stringify(bodyOf(method, params, 1)))) as Answer, method) as T,
    /** One batch of the same method; throws if one of them fails. */
    batch: async (method: string, lists: readonly (readonly unknown[])[]): Promise<void> => {
      const body = lists.map((params, id) => bodyOf(method, params, id));
      const answers = (await post(JSON.stringify(body))) as Answer[];
      if (answers.length !== lists.length) throw new Error(`${method}: ${JSON.stringify(answers)}`);
      for (const answer of answers) resultOf(answer, method);
    },
    close: () => agent.destroy(),
  };
};

export type Http = ReturnType<typeof openHttp>;
