import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAuthoritiesSpec } from '../../../e2e/authorities.ts';
import {
  freePort,
  hasNativeNode,
  type NativeNode,
  unpackNativeNode,
} from '../../../test/native/native-rig.ts';
import type { Node } from '../../../worker/node.ts';
import { startCommand, stopCommand } from '../../commands.ts';
import type { Bench, Line } from '../../figure.ts';
import { median, sleep } from '../../measure.ts';
import { watchHeads } from '../../network/heads.ts';
import { type RunningNative, serveNative } from '../../network/native.ts';
import { inThePast, type Peer, startPeer } from '../../network/peer.ts';
import { seal } from '../../nodes.ts';
import { signTransfers } from '../../signer.ts';

const syncBlocks = 300;
const runs = 3;
const emptyBlocks = 10;
const transfers = 1000;
const fullBlocks = 4;

const manual = ['--alice', '--seal', 'manual', '--seal-grandpa', '--node-key', '11'.repeat(32)];

/** A native node that others reach by WebSocket, and where. */
const serveReachable = async (native: NativeNode, spec: string, ...args: readonly string[]) => {
  const port = await freePort();
  const address = `/ip4/127.0.0.1/tcp/${port}/ws`;
  const node = await serveNative(native, spec, '--listen-addr', address, ...args);
  return { node, address: `${address}/p2p/${await node.call<string>('system_localPeerId')}` };
};

/** Milliseconds from the moment a native node without blocks responds until it has all of another's. */
const syncNative = async (native: NativeNode, spec: string, address: string): Promise<number> => {
  const from = performance.now();
  const node = await serveNative(native, spec, '--bootnodes', address);
  // It tells subscribers nothing of the blocks of its first sync.
  const best = async () => Number((await node.call<{ number: string }>('chain_getHeader')).number);
  while ((await best()) < syncBlocks) await sleep(10);
  const until = performance.now();
  await node.stop();
  return until - from;
};

const createBlock = ({ call }: RunningNative): Promise<unknown> =>
  call('engine_createBlock', true, false, null);

/** A native node syncs the same blocks from us, and from another native node. Its start is part of both times. */
const measureSync = async (native: NativeNode, spec: string, folder: string): Promise<Line> => {
  const theirs = await serveReachable(native, spec, ...manual);
  for (let number = 1; number <= syncBlocks; number++) await createBlock(theirs.node);
  const place = ['--chain', spec, '--base-path', join(folder, 'ours')];
  const listens = ['--listen-addr', '/ip4/127.0.0.1/tcp/0/ws', '--bootnodes', theirs.address];
  const ours = await startCommand('serve', ...place, ...listens);
  const heads = await watchHeads(ours.ws);
  await heads.reaches(syncBlocks);
  heads.close();
  const pairs: [ours: number, theirs: number][] = [];
  for (let run = 0; run < runs; run++)
    pairs.push([
      await syncNative(native, spec, ours.addresses[0] ?? ''),
      await syncNative(native, spec, theirs.address),
    ]);
  await stopCommand(ours.child);
  await theirs.node.stop();
  return {
    name: `a native node syncs ${syncBlocks} blocks from us, against from a native node`,
    value: median(pairs.map(([one, other]) => one / other)),
    unit: '×',
    budget: 1.67,
    note: `${median(pairs.map(([ms]) => ms)).toFixed(0)} and ${median(pairs.map(([, ms]) => ms)).toFixed(0)} ms with the start of the process, medians of ${runs}`,
  };
};

const importedAt = ({ parts: { chain } }: Node): Promise<{ number: number; atMs: number }> =>
  new Promise((resolve) => {
    const off = chain.onEvent(({ kind, number }) => {
      if (kind !== 'imported') return;
      off();
      resolve({ number, atMs: performance.now() });
    });
  });

/** From the response of a native node that has sealed a block of transfers until it is our best, against its import. */
const measureFull = async (native: RunningNative, { node }: Peer): Promise<Line> => {
  const signed = await signTransfers(node, fullBlocks * transfers);
  const ratios: number[] = [];
  const times: string[] = [];
  for (let at = 0; at < signed.length; at += transfers) {
    for (const text of signed.slice(at, at + transfers)) await native.call('author_submitExtrinsic', text);
    const arrived = importedAt(node);
    await createBlock(native);
    const sealedAt = performance.now();
    const { number, atMs } = await arrived;
    // It is noted after the event.
    await sleep(100);
    const timing = node.parts.chain.timings().find((one) => one.number === number);
    const importMs = (timing?.importMs ?? 0) + (timing?.commitMs ?? 0);
    ratios.push((atMs - sealedAt) / importMs);
    times.push(`${(atMs - sealedAt).toFixed(0)}/${importMs.toFixed(0)}`);
  }
  return {
    name: `a native block of ${transfers} transfers is our best, against its import`,
    value: median(ratios.slice(1)),
    unit: '×',
    budget: 1.5,
    note: `from the response of the native node; ${times.join(', ')} ms`,
  };
};

const measureEmpty = async (native: RunningNative, { node }: Peer): Promise<Line> => {
  const heads = await watchHeads(`ws://127.0.0.1:${native.port}`);
  const times: number[] = [];
  for (let block = 0; block < emptyBlocks; block++) {
    const sealed = await seal(node);
    const from = performance.now();
    times.push((await heads.reaches(sealed.number)) - from);
  }
  heads.close();
  return {
    name: 'our empty block is the best of a native node',
    value: median(times),
    unit: 'ms',
    budget: 100,
    note: `median of ${emptyBlocks}, slowest ${Math.max(...times).toFixed(0)}; by its subscription`,
  };
};

const measureBlocks = async (native: NativeNode, spec: string): Promise<Line[]> => {
  const chain = { specJson: await readFile(spec, 'utf8') };
  const theirs = await serveReachable(native, spec, ...manual);
  await createBlock(theirs.node);
  const ours = await startPeer(chain, { keys: [], network: { bootNodes: [theirs.address] } });
  await importedAt(ours.node);
  const full = await measureFull(theirs.node, ours);
  await ours.close();
  await theirs.node.stop();
  const sealing = await startPeer(chain, { keys: ['//Alice'], clock: inThePast });
  const follower = await serveNative(native, spec, '--bootnodes', sealing.addresses[0] ?? '');
  while ((await follower.call<{ peers: number }>('system_health')).peers === 0);
  const empty = await measureEmpty(follower, sealing);
  await follower.stop();
  await sealing.close();
  return [full, empty];
};

export const networkNative: Bench = {
  name: 'network-native',
  about: 'a native node syncs from us, and blocks go both ways',
  run: async () => {
    if (!hasNativeNode) return [{ name: 'a native node syncs from us', skipped: 'no ../shared/native-node' }];
    const folder = await mkdtemp(join(tmpdir(), 'tabnode-native-bench-'));
    const native = await unpackNativeNode();
    try {
      const spec = await writeAuthoritiesSpec(['Alice'], folder);
      return [await measureSync(native, spec, folder), ...(await measureBlocks(native, spec))];
    } finally {
      native.close();
      await rm(folder, { recursive: true });
    }
  },
};
