import { afterAll, beforeAll, expect, test } from 'vitest';
import { shortSessions, whenFinal } from '../../../test/consensus/grandpa-rig.ts';
import { type DevNode, startDevNode } from '../../../test/rigs/dev-node.ts';
import { blockHashToBytes } from '../../codec/identity.ts';
import { decodeWarpProof } from '../../consensus/grandpa/warp.ts';
import { createWarpServer } from './warp-server.ts';

let dev: DevNode;
beforeAll(async () => {
  const changes = { finality: { kind: 'grandpa' } } as const;
  dev = await startDevNode({ chain: await shortSessions('development', 4), changes });
});
afterAll(() => dev.stop());

const serve = (request: Uint8Array): Promise<Uint8Array | null> => {
  const onError = (error: unknown): never => {
    throw error;
  };
  return createWarpServer({ ...dev.node.parts, onError }).serve('a', request);
};
const genesis = (): Uint8Array => blockHashToBytes(dev.node.parts.chain.genesisHash);

test('before anything is proven, a proof has no fragments; then it has the newest block', async () => {
  expect(await serve(genesis())).toEqual(Uint8Array.of(0, 1));
  await dev.call('engine_createBlock', true, false);
  await whenFinal(dev.node, 1);
  const { fragments, isFinished } = decodeWarpProof((await serve(genesis())) as Uint8Array);
  expect([fragments.map(({ header }) => header.number), isFinished]).toEqual([[1], true]);
});

test('a block that is unknown or not final, and a request of another size, get none', async () => {
  expect(await serve(new Uint8Array(32).fill(7))).toBeNull();
  const { hash } = await dev.call<{ hash: string }>('engine_createBlock', true, false);
  const { chain } = dev.node.parts;
  expect(chain.best().hash).toBe(hash);
  if (chain.finalized().hash !== hash) expect(await serve(blockHashToBytes(chain.best().hash))).toBeNull();
  for (const length of [0, 31, 33]) expect(await serve(new Uint8Array(length))).toBeNull();
});
