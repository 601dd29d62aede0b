import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { signedBlockFromJson } from '../../worker/codec/signed-block.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Database } from '../../worker/db/database.ts';
import { openIdbDatabase } from '../../worker/db/idb.ts';
import type { StoreName } from '../../worker/db/stores.ts';
import { executeCold, noSpec, openStateChain } from '../state-chain.ts';

let opening: Promise<Database> | null = null;
const open = (): Promise<Database> => {
  opening ??= openIdbDatabase('bench-cold-state');
  return opening;
};

const toBytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

export const putRecords = async (
  store: StoreName,
  records: readonly (readonly [string, string])[],
): Promise<void> => {
  const db = await open();
  const puts = records.map(([key, value]) => [store, toBytes(key), toBytes(value)] as const);
  await db.write({ puts, deletes: [] });
};

export const coldState = async (
  json: SignedBlockJson,
  rounds: number,
): Promise<{ readonly cold: number[]; readonly warm: number[] }> => {
  const crypto = await loadCrypto();
  const db = await open();
  const opened = await openStateChain(crypto, db, noSpec);
  const block = signedBlockFromJson(json);
  const [cold, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const [first, ...rest] = await executeCold(crypto, opened, block, db, 3);
    if (first !== undefined) cold.push(first.ms);
    warm.push(...rest.map(({ ms }) => ms));
  }
  return { cold, warm };
};
