import { expect } from 'vitest';
import { addressJson, commonExtensions, encodeCall, prepareExtrinsic } from '../../src/scale/extrinsic.ts';
import { fromHex, toHex } from '../../src/scale/hex.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import type { Json } from '../../src/scale/types.ts';
import { blockHashToBytes } from '../../worker/codec/identity.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';
import type { Node } from '../../worker/node.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { createRandom } from '../rigs/random.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { clock, importNatively, loadChain } from './native-pair.ts';
import type { NativeNode } from './native-rig.ts';

type Signer = { readonly account: Uint8Array; sign(payload: Uint8Array): Json };

/** Accounts of all three schemes that sign transactions. */
const createSigners = (crypto: Crypto): readonly Signer[] => {
  const names = ['//Alice', '//Bob', '//Charlie', '//Dave', '//Eve', '//Ferdie'];
  const schnorr = names.map((name): Signer => {
    const { publicKey, secret } = crypto.suriToPair(name, 'sr25519');
    return {
      account: publicKey,
      sign: (payload) => ({ Sr25519: toHex(crypto.sr25519Sign(secret, payload)) }),
    };
  });
  const edwards = ['//Ed', '//Edda'].map((name): Signer => {
    const { publicKey, secret } = crypto.suriToPair(name, 'ed25519');
    return {
      account: publicKey,
      sign: (payload) => ({ Ed25519: toHex(crypto.ed25519Sign(secret, payload)) }),
    };
  });
  const ecdsa = ['//Ec', '//Ecco'].map((name): Signer => {
    const { publicKey, secret } = crypto.suriToPair(name, 'ecdsa');
    const sign = (payload: Uint8Array): Json => ({
      Ecdsa: toHex(crypto.ecdsaSign(secret, crypto.blake2b256(payload))),
    });
    return { account: crypto.blake2b256(publicKey), sign };
  });
  return [...schnorr, ...edwards, ...ecdsa];
};

type Roll = (below: number) => number;

/** A call that may succeed or fail, with others inside of it now and then. */
const randomCall = (roll: Roll, accounts: readonly Uint8Array[], depth = 0): Json => {
  const account = () => toHex(accounts[roll(accounts.length)] as Uint8Array);
  const dest = () => ({ Id: account() });
  const inner = () => randomCall(roll, accounts, depth + 1);
  const remark = () => toHex(new Uint8Array(roll(200)).fill(roll(256)));
  const leaves = [
    () => ({ Balances: { transfer_keep_alive: { dest: dest(), value: 1_000_000_000 + roll(1_000_000) } } }),
    () => ({ Balances: { transfer_allow_death: { dest: dest(), value: roll(2_000_000) } } }),
    () => ({ Balances: { burn: { value: roll(2_000_000), keep_alive: true } } }),
    () => ({ System: { remark: { remark: remark() } } }),
    () => ({ System: { remark_with_event: { remark: remark() } } }),
    () => ({ System: { set_heap_pages: { pages: roll(100) } } }),
    () => ({ Preimage: { note_preimage: { bytes: remark() } } }),
    () => ({ Proxy: { add_proxy: { delegate: dest(), proxy_type: 'Any', delay: roll(3) } } }),
    () => ({ Proxy: { remove_proxies: {} } }),
  ];
  const branches = [
    () => ({ Utility: { batch: { calls: [inner(), inner()] } } }),
    () => ({ Utility: { batch_all: { calls: [inner(), inner(), inner()] } } }),
    () => ({ Utility: { force_batch: { calls: [inner(), inner()] } } }),
    () => ({ Utility: { as_derivative: { index: roll(3), call: inner() } } }),
    () => ({ Proxy: { proxy: { real: dest(), force_proxy_type: null, call: inner() } } }),
    () => ({ Multisig: { as_multi_threshold_1: { other_signatories: [account()], call: inner() } } }),
  ];
  const choices = depth < 2 && roll(4) === 0 ? branches : leaves;
  return (choices[roll(choices.length)] as () => Json)();
};

/** A block in 20 has many transactions, the others few or none. */
const randomSize = (roll: Roll): number => (roll(20) === 0 ? 32 + roll(60) : roll(6));

/** A chain of `count` blocks of random transactions, built by a node of the development preset. */
const makeChain = async (count: number, seed: number) => {
  const random = createRandom(seed);
  const roll: Roll = (below) => Math.floor(random() * below);
  const node = await openAt(clock.startMs, 'development', { keys: ['//Alice'] });
  const { crypto, chain, pool } = node.parts;
  const { call } = connectRpc(node);
  const meta = createRuntimeMeta(fromHex(await call<string>('state_getMetadata')));
  const version = await call<{ specVersion: number; transactionVersion: number }>('state_getRuntimeVersion');
  const genesisHash = toHex(blockHashToBytes(chain.base.hash));
  const signers = createSigners(crypto);
  const accounts = signers.map(({ account }) => account);
  const nonces = new Map<Signer, number>();
  const submit = async (signer: Signer, given: Json): Promise<boolean> => {
    const nonce = nonces.get(signer) ?? 0;
    const [[pallet, inside]] = Object.entries(given as Record<string, Record<string, Json>>) as [
      [string, Record<string, Json>],
    ];
    const [[name, args]] = Object.entries(inside) as [[string, Json]];
    const facts = { nonce, tip: BigInt(roll(1000)), ...version, genesisHash, mortal: null };
    const encoded = encodeCall(meta, pallet, name, args);
    const unsigned = prepareExtrinsic(meta, encoded, commonExtensions(facts), crypto.blake2b256);
    const signed = unsigned.finish(addressJson(meta, toHex(signer.account)), signer.sign(unsigned.payload));
    const { ok } = await pool.submit(fromHex(signed), 2);
    if (ok) nonces.set(signer, nonce + 1);
    return ok;
  };
  const [alice, ...others] = signers as [Signer, ...Signer[]];
  for (const { account } of others)
    await submit(alice, {
      Balances: { transfer_keep_alive: { dest: { Id: toHex(account) }, value: 1_000_000_000_000_000 } },
    });
  let sent = 0;
  for (let number = 1; number <= count; number++) {
    if (number > 1)
      for (let left = randomSize(roll); left > 0; left--)
        if (await submit(signers[roll(signers.length)] as Signer, randomCall(roll, accounts))) sent++;
    await sealOn(node);
  }
  return { node, sent };
};

/** Imports the chain, and returns its best block. */
const importInto = async (node: Node, blocks: Awaited<ReturnType<typeof loadChain>>) => {
  for (const block of blocks) {
    const result = await node.parts.chain.import(block, { origin: 'file' });
    if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  }
  const { number, hash } = node.parts.chain.best();
  await node.close();
  return { number, hash };
};

/**
 * Random blocks, each of which is imported by each of our nodes, and by the native node, with the same result. `open`:
 * nodes that verify signatures in different ways.
 */
export const compareRandomBlocks = async (
  { native, spec }: { readonly native: NativeNode; readonly spec: string },
  { count, seed }: { readonly count: number; readonly seed: number },
  open: Readonly<Record<string, () => Promise<Node>>>,
): Promise<void> => {
  const { node, sent } = await makeChain(count, seed);
  const { number, hash } = node.parts.chain.best();
  expect(number).toBe(count);
  // So many that few were refused.
  expect(sent).toBeGreaterThan(count * 2);
  const blocks = await loadChain(node);
  const found: Record<string, unknown> = {};
  for (const [name, openNode] of Object.entries(open))
    found[name] = await importInto(await openNode(), blocks);
  found['native'] = await importNatively(native, node, spec, `random-${count}`);
  const same = { number, hash };
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, same])));
  await node.close();
};
