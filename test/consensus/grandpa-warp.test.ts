import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BlockHash } from '../../worker/codec/identity.ts';
import type { AuthoritySet } from '../../worker/consensus/grandpa/authorities.ts';
import {
  decodeWarpProof,
  encodeWarpProof,
  proveWarp,
  verifyWarp,
  type WarpProof,
} from '../../worker/consensus/grandpa/warp.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { changeKeys, shortSessions, whenFinal } from './grandpa-rig.ts';

let dev: DevNode;
let set: AuthoritySet;
const parts = () => dev.node.parts;
const hashAt = async (number: number): Promise<BlockHash> =>
  (await parts().chain.loadHashAt(number)) ?? parts().chain.genesisHash;
const prove = async (from: number): Promise<WarpProof> => proveWarp(parts().chain, set, await hashAt(from));
const first = async () => {
  const [alice] = parts().keystore.pairs('gran');
  return { setId: 0n, authorities: [{ publicKey: alice?.publicKey ?? new Uint8Array(), weight: 1n }] };
};

// Two sets: Alice's key, then the one she rotated to.
beforeAll(async () => {
  const changes = { finality: { kind: 'grandpa' } } as const;
  dev = await startDevNode({ chain: await shortSessions('development', 4), changes });
  await changeKeys(dev.node);
  while (dev.best().number < 20) await dev.call('engine_createBlock', true, false);
  await whenFinal(dev.node, 20);
  set = (await parts().grandpa.authoritySet()) as AuthoritySet;
});
afterAll(() => dev.stop());

test('a node that knows only the first set is led to the newest block and its set', async () => {
  const proof = await prove(0);
  expect(proof.isFinished).toBe(true);
  expect(proof.fragments.map(({ header }) => header.number)).toEqual([set.changes[0]?.last, 20]);
  const { setId, authorities } = set;
  expect(setId).toBe(1n);
  expect(verifyWarp(parts().crypto, proof, await first())).toEqual({
    ok: true,
    setId,
    authorities,
    header: proof.fragments[1]?.header,
  });
  expect(decodeWarpProof(encodeWarpProof(proof))).toEqual(proof);
});

test('a proof from inside the last set holds its newest block only, and none beyond it', async () => {
  const { last } = set.changes[0] as { readonly last: number };
  const { fragments } = await prove(last);
  expect(fragments.map(({ header }) => header.number)).toEqual([20]);
  expect((await prove(20)).fragments).toHaveLength(1);
  await dev.call('engine_createBlock', true, false);
  await expect(prove(21)).rejects.toMatchObject({ code: 'NotFinalizable' });
  const other = `0x${'11'.repeat(32)}` as BlockHash;
  await expect(proveWarp(parts().chain, set, other)).rejects.toMatchObject({ code: 'NotFinalizable' });
});

test('what the chain of sets does not carry is refused', async () => {
  const { crypto } = parts();
  const proof = await prove(0);
  const [end, newest] = proof.fragments as [WarpProof['fragments'][0], WarpProof['fragments'][0]];
  const start = await first();
  const refused = (changed: WarpProof, from = start): boolean => !verifyWarp(crypto, changed, from).ok;
  const forged = newest.justification.slice();
  forged[60] = (forged[60] ?? 0) ^ 1;
  const cases: readonly (readonly [string, WarpProof, typeof start?])[] = [
    ['a skipped set', { ...proof, fragments: [newest] }],
    ['another order', { ...proof, fragments: [newest, end] }],
    ['an end in the middle', { ...proof, fragments: [end, newest, newest] }],
    ['an end that is not the last message', { ...proof, isFinished: false }],
    ['a forged signature', { ...proof, fragments: [end, { ...newest, justification: forged }] }],
    ['a proof of another block', { ...proof, fragments: [end, { ...newest, header: end.header }] }],
    ['another set to start from', proof, { ...start, setId: 1n }],
    ['other authorities', proof, { ...start, authorities: set.authorities as typeof start.authorities }],
  ];
  for (const [what, changed, from] of cases) expect([what, refused(changed, from)]).toEqual([what, true]);
  expect(refused({ ...proof, fragments: [end], isFinished: false })).toBe(false);
  for (const length of [0, 1, 40, encodeWarpProof(proof).length - 1])
    expect(() => decodeWarpProof(encodeWarpProof(proof).slice(0, length))).toThrow();
});

test('sets whose justifications are missing cannot be proved', async () => {
  const lost = { ...set, changes: [{ setId: 0n, last: 2 }] };
  await expect(proveWarp(parts().chain, lost, await hashAt(0))).rejects.toMatchObject({
    code: 'Unsupported',
  });
  const later = { ...set, setId: 6n, changes: [{ setId: 5n, last: 12 }] };
  await expect(proveWarp(parts().chain, later, await hashAt(0))).rejects.toMatchObject({
    code: 'Unsupported',
  });
});
