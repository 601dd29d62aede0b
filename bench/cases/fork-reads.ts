import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countedOrigin, type OriginCounts } from '../../test/fork/counted-origin.ts';
import { devKeys, isMissing, knownChains, sourceOf } from '../../test/fork/known-chains.ts';
import { createSigner } from '../../test/fork/signer.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { sealOn } from '../../test/rigs/seal-on.ts';
import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { accountId } from '../accounts.ts';
import { callHttp, startCommand, stopCommand } from '../commands.ts';
import type { Line } from '../figure.ts';
import { median, timed } from '../measure.ts';
import { openNode, seal } from '../nodes.ts';
import { includeTransfer, openFork, signTransfer } from './fork-blocks.ts';

const accounts = 100_000;
const transfers = 30;
/** A chain old enough that the hashes of its blocks are a trie of some depth. */
const baseNumber = 300;
const laterBlocks = 100;

/** A raw specification of the default chain with many accounts. */
const createLargeSpec = async (): Promise<string> => {
  const crypto = await loadCrypto();
  const small = await openNode();
  const { raw } = (await small.parts.chain.genesisJson(true)) as { raw: { top: Record<string, string> } };
  await small.close();
  const prefix = concatBytes(crypto.twox128(textToBytes('System')), crypto.twox128(textToBytes('Account')));
  // Nonce 0, one provider, 100 units of 12 decimals, the flag of new accounts.
  const info = `0x${'00'.repeat(8)}01000000${'00'.repeat(4)}${'00407a10f35a'.padEnd(126, '0')}80`;
  for (let index = 0; index < accounts; index++) {
    const id = accountId(crypto, index);
    raw.top[bytesToHex(concatBytes(prefix, crypto.blake2b128(id), id))] = info;
  }
  const genesis = { raw: { top: raw.top, childrenDefault: {} } };
  const facts = { name: 'Large', id: 'large', chainType: 'Development', bootNodes: [], properties: {} };
  return JSON.stringify({ ...facts, genesis });
};

/** Transfers to accounts that the fork has never read: half of them exist, half are new. */
const measureUnseen = async (specJson: string): Promise<Line[]> => {
  const live = await createNode(createTestPlatform(), testConfig({ specJson }));
  await seal(live);
  const counted = countedOrigin(live);
  const fork = await openFork(counted);
  const { crypto } = fork.parts;
  const sign = createSigner();
  const recipients = Array.from({ length: 2 + transfers }, (_, index) =>
    accountId(crypto, index % 2 === 0 ? index * 997 : accounts + index),
  );
  const signed = await signTransfer(sign, fork, recipients);
  // The first two read what every transfer to an account of their kind needs.
  for (const extrinsic of signed.slice(0, 2)) await includeTransfer(fork, extrinsic);
  const requests: number[] = [];
  const rounds: number[] = [];
  for (const extrinsic of signed.slice(2)) {
    const counts = await counted.during(() => includeTransfer(fork, extrinsic));
    requests.push(counts.requests);
    rounds.push(counts.rounds);
  }
  for (const node of [fork, live]) await node.close();
  return [
    {
      name: 'fork: transfer to an unseen account',
      value: requests.reduce((sum, one) => sum + one, 0) / transfers,
      unit: 'requests',
      budget: 1,
      note: `mean of ${transfers}, ${accounts} accounts; at most ${Math.max(...requests)} in ${Math.max(...rounds)} rounds`,
    },
  ];
};

const pageSize = 1000;

/** Pages of keys of a fork whose live chain is another process on this machine. */
const measureKeys = async (specJson: string): Promise<Line[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-bench-keys-'));
  const path = join(folder, 'large.json');
  writeFileSync(path, specJson);
  const live = await startCommand('serve', `--chain=${path}`, '--tmp', '--seal=manual');
  const fork = await startCommand('fork', live.ws, '--block=0');
  try {
    const crypto = await loadCrypto();
    const prefix = bytesToHex(
      concatBytes(crypto.twox128(textToBytes('System')), crypto.twox128(textToBytes('Account'))),
    );
    let count = 0;
    const { ms } = await timed(async () => {
      for (let start: string | null = null; ; ) {
        const page: string[] = await callHttp(fork.http, 'state_getKeysPaged', prefix, pageSize, start);
        count += page.length;
        if (page.length < pageSize) break;
        start = page.at(-1) ?? null;
      }
    });
    if (count < accounts) throw new Error(`only ${count} keys`);
    const { fork: status } = await callHttp<{ fork: { requests: number } }>(fork.http, 'dev_status');
    return [
      {
        name: 'fork: keys under a prefix, proven',
        value: count / (ms / 1000),
        unit: '/s',
        budget: 5000,
        note: `${count} keys in pages of ${pageSize}, ${status.requests} requests to another process`,
      },
    ];
  } finally {
    await stopCommand(fork.child);
    await stopCommand(live.child);
    rmSync(folder, { recursive: true });
  }
};

const readChain = async (known: (typeof knownChains)[number]): Promise<Line[]> => {
  const name = `fork of ${known.name}`;
  if (isMissing(known)) return [{ name, skipped: 'needs ../shared/fixtures' }];
  const live = await createNode(createTestPlatform(), testConfig(await sourceOf(known), { keys: devKeys }));
  for (let block = 0; block < baseNumber; block++) await sealOn(live);
  const counted = countedOrigin(live);
  let fork: Node | null = null;
  const opening = await counted.during(async () => {
    fork = await openFork(counted, devKeys);
  });
  const node = fork as unknown as Node;
  const first = await counted.during(() => sealOn(node));
  const each: OriginCounts[] = [];
  for (let block = 0; block < laterBlocks; block++) each.push(await counted.during(() => sealOn(node)));
  for (const one of [node, live]) await one.close();
  const sum = (of: 'bytes' | 'requests'): number => each.reduce((total, counts) => total + counts[of], 0);
  return [
    {
      name: `${name}: rounds of the first block`,
      value: first.rounds,
      unit: 'rounds',
      budget: 3,
      note: `${first.requests} requests; opening: ${opening.rounds} rounds, ${opening.requests} requests, ${(opening.bytes / 1000).toFixed(0)} kB`,
    },
    {
      name: `${name}: first empty block`,
      value: first.bytes / 1000,
      unit: 'kB',
      budget: 64,
      note: `hex digits of nodes; then ${(sum('bytes') / 1000 / laterBlocks).toFixed(2)} kB a block`,
    },
    {
      name: `${name}: requests of a later empty block`,
      value: median(each.map(({ requests }) => requests)),
      unit: 'requests',
      budget: 0,
      note: `median of ${laterBlocks}, ${sum('requests')} in all`,
    },
  ];
};

/** What a fork reads: counted, so the same on every machine, but for the rate of keys. */
export const measureForkReads = async (): Promise<Line[]> => {
  const lines: Line[] = [];
  for (const known of knownChains) lines.push(...(await readChain(known)));
  const large = await createLargeSpec();
  return [...lines, ...(await measureUnseen(large)), ...(await measureKeys(large))];
};
