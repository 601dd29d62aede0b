import type { JsonRpcError } from '../../src/protocol/json-rpc/json-rpc-error.ts';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import type { Database } from '../../worker/db/database.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { startDevNode } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';
import { sealOn } from '../rigs/seal-on.ts';

const config = testConfig('development', { finality: { kind: 'manual' } });

export type Opened = {
  readonly node: Node;
  readonly call: (method: string, params: readonly unknown[]) => Promise<unknown>;
  readonly errors: readonly unknown[];
  close(): Promise<void>;
};

/** A node over a database that may be damaged, with a client. Rethrows errors of opening. */
export const openDamaged = async (db: Database): Promise<Opened> => {
  const platform = createTestPlatform({ db });
  const node = await createNode(platform, config);
  const port = openPort(node);
  return {
    node,
    call: (method, params) => port.request(method, params as unknown[]),
    errors: platform.errors,
    close: async () => {
      port.shut();
      // Closing may also fail with damaged records; the database is released in any case.
      await node.close().catch(() => undefined);
      await db.close();
    },
  };
};

export type Question = readonly [method: string, params: readonly unknown[]];

export type Made = {
  readonly questions: readonly Question[];
  readonly blocks: readonly BlockHash[];
  readonly aliceKey: string;
  /** As hex: the value of that key, BABE's authorities, and a transfer of Alice's that is not in a block. */
  readonly aliceAccount: string;
  readonly authorities: string;
  readonly transfer: string;
};

const account = /* @__PURE__ */ textToBytes('somebody without a name at all!!');

/**
 * Writes a chain with records in each store: transfers, a fork, a finality proof, keys, offchain values, a
 * snapshot.
 */
export const makeChainIn = async (db: Database, length: number): Promise<Made> => {
  const dev = await startDevNode({
    db,
    changes: { finality: { kind: 'manual' } },
  });
  const { node, call } = dev;
  const { chain } = node.parts;
  const blocks: BlockHash[] = [chain.genesisHash];
  for (let made = 0; made < length; made++) {
    if (made % 6 === 0)
      await call('author_submitExtrinsic', await dev.transfer('//Alice', account, 10n ** 12n, made / 6));
    blocks.push(await sealOn(node));
    if (made === 5) await call('dev_snapshot', 'early');
  }
  const fork = await sealOn(node, blocks.at(-3) as BlockHash);
  await chain.finalize(blocks[length - 4] as BlockHash, [textToBytes('TEST'), textToBytes('a proof')]);
  await call('offchain_localStorageSet', 'PERSISTENT', bytesToHex(textToBytes('name')), '0x123456');
  await call('author_insertKey', 'gran', '//Bob//stash', bytesToHex(dev.pair('//Bob').publicKey));
  const aliceKey = dev.accountKey(dev.pair('//Alice').publicKey);
  const keys = await call<string[]>('state_getKeysPaged', '0x', 1000);
  const transfer = await dev.transfer('//Alice', account, 10n ** 12n, Math.ceil(length / 6));
  const questions = [...askFor([...blocks, fork], keys, aliceKey), ...askPool(transfer)];
  const aliceAccount = await call<string>('state_getStorage', aliceKey);
  const authorities = await call<string>('state_getStorage', dev.itemKey('Babe', 'Authorities'));
  await dev.stop();
  return { questions, blocks, aliceKey, aliceAccount, authorities, transfer };
};

const askFor = (
  blocks: readonly BlockHash[],
  keys: readonly string[],
  aliceKey: string,
): readonly Question[] => [
  ...blocks.flatMap((hash, number): Question[] => [
    ['chain_getBlockHash', [number]],
    ['chain_getBlock', [hash]],
    ['chain_getHeader', [hash]],
    ['state_getStorage', [aliceKey, hash]],
    ['state_getRuntimeVersion', [hash]],
  ]),
  ['chain_getFinalizedHead', []],
  ['state_getKeysPaged', ['0x', 1000]],
  ...keys.map((key): Question => ['state_getStorage', [key]]),
  ['state_getKeysPaged', ['0x', 1000, null, blocks[0]]],
  ['offchain_localStorageGet', ['PERSISTENT', bytesToHex(textToBytes('name'))]],
  ['dev_listSnapshots', []],
  ['dev_listKeys', []],
];

const askPool = (transfer: string): readonly Question[] => [
  ['system_accountNextIndex', ['5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY']],
  ['author_submitExtrinsic', [transfer]],
];

/** Each response as text; for a failure, the error's text. */
export const answersOf = async ({ call }: Opened, questions: readonly Question[]): Promise<string[]> => {
  const answers: string[] = [];
  for (const [method, params] of questions)
    answers.push(
      await call(method, params).then(
        (value) => JSON.stringify(value),
        (error: JsonRpcError) => `error ${error.message} ${JSON.stringify(error.data)}`,
      ),
    );
  return answers;
};
