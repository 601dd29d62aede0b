import { Keyring } from '@polkadot/keyring';
import type { KeyringPair } from '@polkadot/keyring/types';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { expect } from 'vitest';
import type { ChainSource } from '../../src/protocol/node.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import type { SignedBlock } from '../../worker/codec/signed-block.ts';
import { decodeRecord, type VoterRecord, voterKey } from '../../worker/consensus/grandpa/voter/record.ts';
import type { Database } from '../../worker/db/database.ts';
import type { Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { loadDefaultRuntime } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';

/** A preset of the default runtime with sessions of this many slots. */
export const shortSessions = async (
  preset: 'development' | 'local_testnet',
  sessionSlots: number,
): Promise<ChainSource> => ({
  wasm: await loadDefaultRuntime(),
  preset,
  patch: JSON.stringify({ validators: { sessionSlots } }),
});

/** Resolves when a block of this height is final. */
export const whenFinal = ({ parts }: Node, height: number): Promise<void> =>
  new Promise((resolve) => {
    if (parts.chain.finalized().number >= height) return resolve();
    const off = parts.chain.onEvent((event) => {
      if (event.kind !== 'finalized' || event.number < height) return;
      off();
      resolve();
    });
  });

/** The best chain's blocks, from block 1 on. */
export const loadBlocks = async ({ parts }: Node, last: number): Promise<SignedBlock[]> => {
  const blocks: SignedBlock[] = [];
  for (let number = 1; number <= last; number++)
    blocks.push(
      (await parts.chain.loadBlock((await parts.chain.loadHashAt(number)) as BlockHash)) as SignedBlock,
    );
  return blocks;
};

const alice = (): KeyringPair => new Keyring({ type: 'sr25519' }).addFromUri('//Alice');

export type RotatedKeys = { readonly keys: string; readonly proof: string };

/** Has a node make new session keys for //Alice. */
export const rotateKeys = async (
  call: <T>(method: string, ...params: unknown[]) => Promise<T>,
): Promise<RotatedKeys> => {
  await cryptoWaitReady();
  return call('author_rotateKeysWithOwner', bytesToHex(alice().publicKey));
};

/** //Alice's first transaction on the node's chain, which announces the keys. */
export const signSetKeys = async (node: Node, { keys, proof }: RotatedKeys): Promise<string> => {
  const { api, close } = await openApi(node);
  const signed = await api.tx['session']?.['setKeys']?.(keys, proof).signAsync(alice(), { nonce: 0, era: 0 });
  await close();
  return signed?.toHex() as string;
};

/** Both, on one node. */
export const changeKeys = async (node: Node): Promise<void> => {
  const { call } = connectRpc(node);
  await call('author_submitExtrinsic', await signSetKeys(node, await rotateKeys(call)));
};

/** With the key of the voter, in hex. */
export type WrittenRecord = VoterRecord & { readonly voter: string };

/** Keeps each record of the voters in the order of writing. */
export const withRecords = (db: Database): { readonly db: Database; readonly records: WrittenRecord[] } => {
  const records: WrittenRecord[] = [];
  const name = bytesToHex(voterKey);
  const write: Database['write'] = (batch) => {
    for (const [, key, value] of batch.puts) {
      const [before, voter = ''] = bytesToHex(key).split(name);
      if (before === '') records.push({ ...decodeRecord(value), voter });
    }
    return db.write(batch);
  };
  return { db: { ...db, write }, records };
};

/** Throws if two records of a voter hold different votes of a kind in a round. Returns the number of votes. */
export const checkVotes = (records: readonly WrittenRecord[]): number => {
  const cast = new Map<string, string>();
  for (const { setId, own, voter } of records)
    for (const { round, votes } of own)
      for (const { kind, target } of votes) {
        const name = `${voter} ${setId} ${round} ${kind}`;
        expect(cast.get(name) ?? target.hash, name).toBe(target.hash);
        cast.set(name, target.hash);
      }
  return cast.size;
};
