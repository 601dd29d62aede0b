// `npm run vectors`: writes test/vectors/chain.json, a chain built for the tests that covers roots, seals and
// blocks without other data.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { createNode } from '../../worker/node.ts';
import { readChildRoots, storingContract } from '../chain/storing-contract.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { sealOn } from '../rigs/seal-on.ts';

/** The contents of test/vectors/chain.json. */
export type ChainVectors = {
  readonly preset: 'local_testnet';
  readonly specVersion: number;
  readonly genesisHash: string;
  readonly genesisStateRoot: string;
  /** Results of `chain_getBlock`, from block 1 on. */
  readonly blocks: readonly { readonly hash: string; readonly block: unknown }[];
  /** Roots of the child tries in the last state, by their keys. */
  readonly childRoots: readonly (readonly [key: string, root: string])[];
};

/** 2025-01-01. The node's clock is fixed. */
const startMs = 1_735_689_600_000;

const blockCount = 64;

const byteText = (value: number): string => value.toString(16).padStart(2, '0');

const unit = 10n ** 12n;

const makeChain = async (): Promise<ChainVectors> => {
  await cryptoWaitReady();
  const config = testConfig('local_testnet', { keys: ['//Alice', '//Bob'], finality: { kind: 'manual' } });
  const node = await createNode(createTestPlatform({ now: () => startMs }), config);
  const { api, close } = await openApi(node);
  const { call } = connectRpc(node);
  const keyring = new Keyring({ type: 'sr25519' });
  const alice = keyring.addFromUri('//Alice');
  const bob = keyring.addFromUri('//Bob');
  const tx = api.tx as any;
  const { instantiate, find, store } = storingContract(api);
  const newcomer = (index: number): string => keyring.addFromUri(`//Newcomer//${index}`).address;
  let nonce = 0;
  const send = (made: { signAndSend(...args: unknown[]): Promise<unknown> }): Promise<unknown> =>
    made.signAndSend(alice, { nonce: nonce++, era: 0 });
  const blocks: { hash: string; block: unknown }[] = [];
  for (let number = 1; number <= blockCount; number++) {
    if (number === 3) await send(instantiate());
    if (number % 4 === 1) await send(tx.balances.transferAllowDeath(newcomer(number), unit));
    if (number % 8 === 2)
      await send(
        tx.utility.batch([
          tx.system.remarkWithEvent(`0x${'5a'.repeat(number)}`),
          tx.balances.transferAllowDeath(bob.address, unit),
          // Exceeds the account's balance: the batch is interrupted, but the extrinsic stays in the block.
          tx.balances.transferAllowDeath(bob.address, 10n ** 30n),
        ]),
      );
    const hash = await sealOn(node);
    const contract = number === 3 ? await find() : null;
    for (let index = 0; contract !== null && index < 40; index++)
      await send(store(contract, `0x${byteText(index).repeat(1 + (index % 60))}`));
    const { block } = await call<{ block: unknown }>('chain_getBlock', hash);
    blocks.push({ hash, block });
  }
  const childRoots = await readChildRoots(node);
  const genesis = await call<{ stateRoot: string }>('chain_getHeader', node.parts.chain.genesisHash);
  await close();
  const made: ChainVectors = {
    preset: 'local_testnet',
    specVersion: api.runtimeVersion.specVersion.toNumber(),
    genesisHash: node.parts.chain.genesisHash,
    genesisStateRoot: genesis.stateRoot,
    blocks,
    childRoots,
  };
  await node.close();
  return made;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = new URL('chain.json', import.meta.url);
  writeFileSync(path, `${JSON.stringify(await makeChain(), null, 1)}\n`);
}
