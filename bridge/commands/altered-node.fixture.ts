import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { encodeHeader, type Header } from '../../worker/codec/header.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';

type HeaderJson = {
  readonly parentHash: string;
  readonly number: string;
  readonly stateRoot: string;
  readonly extrinsicsRoot: string;
  readonly digest: { readonly logs: readonly string[] };
};
type BlockJson = { readonly header: HeaderJson; readonly extrinsics: readonly string[] };
type Request = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

const toHeader = ({ parentHash, number, stateRoot, extrinsicsRoot, digest }: HeaderJson): Header => ({
  parentHash: hexToBytes(parentHash),
  number: Number(number),
  stateRoot: hexToBytes(stateRoot),
  extrinsicsRoot: hexToBytes(extrinsicsRoot),
  digest: digest.logs.map(hexToBytes),
});

/**
 * An endpoint that names an altered copy of a node's best block as the best one: its hash, parent and root fit each other, but
 * no runtime made it. Its state is that of another block.
 */
export const startAlteredNode = async (
  http: string,
  alter: (block: BlockJson) => BlockJson,
  stateOf: string | null = null,
) => {
  const ask = (method: string, params: readonly unknown[]) => callHttp(http, method, [...params]);
  const best = await ask('chain_getBlockHash', []);
  const { block } = (await ask('chain_getBlock', [best])) as { readonly block: BlockJson };
  const altered = alter(block);
  const hash = bytesToHex((await loadCrypto()).blake2b256(encodeHeader(toHeader(altered.header))));
  const answer = ({ method, params }: Request): unknown => {
    const isAltered = params.includes(hash);
    if (['chain_getBlockHash', 'chain_getFinalizedHead'].includes(method) && params.length === 0) return hash;
    if (method === 'chain_getHeader' && isAltered) return altered.header;
    if (method === 'chain_getBlock' && isAltered) return { block: altered, justifications: null };
    return ask(
      method,
      params.map((param) => (param === hash ? (stateOf ?? best) : param)),
    );
  };
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request)) as Request;
    response.setHeader('content-type', 'application/json');
    try {
      response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: await answer(asked) }));
    } catch {
      const error = { code: -32601, message: 'Method not found' };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, error }));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hash,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
