import { readFile } from 'node:fs/promises';
import { authorOf, reportedOffences, writeAuthoritiesSpec } from '../../e2e/authorities.ts';
import { freePort, type NativeNode } from '../../test/native/native-rig.ts';
import { callHttp, startCommand, stopCommand } from '../commands.ts';
import { sleep } from '../measure.ts';
import { type RunningNative, serveNative, watchReports } from './native.ts';
import type { TabPeer, Tabs } from './tab.ts';

const names = ['Alice', 'Bob', 'Charlie'] as const;
const reportEveryMs = 30_000;
/** Finality that does not move for so long has stopped. */
const stalledMs = 120_000;

type Parts = { readonly native: NativeNode; readonly tabs: Tabs; readonly folder: string };
type Three = { readonly alice: RunningNative; readonly bob: string; readonly charlie: TabPeer };

const numberAt = async ({ call }: RunningNative, hash?: string): Promise<number> =>
  Number((await call<{ number: string }>('chain_getHeader', ...(hash === undefined ? [] : [hash]))).number);

const finalAt = async (node: RunningNative): Promise<number> =>
  numberAt(node, await node.call<string>('chain_getFinalizedHead'));

/** What must not have happened so far, as sentences. */
const findFaults = async (
  { alice, bob, charlie }: Three,
  reports: ReturnType<typeof watchReports>,
): Promise<string[]> => {
  const faults = reports.check();
  if (/equivocat/i.test(alice.log())) faults.push('The native node has seen an equivocation');
  const status = await callHttp<{ equivocations: { count: number } }>(bob, 'dev_status');
  if (status.equivocations.count > 0) faults.push('Bob has seen an equivocation');
  if ((await charlie.state()).equivocations > 0) faults.push('Charlie has seen an equivocation');
  return faults;
};

/** At the end: all have the same block, and each authority has sealed some. */
const compareChains = async ({ alice, bob, charlie }: Three, last: number): Promise<string[]> => {
  const hash = await alice.call<string>('chain_getBlockHash', last);
  const others = [await callHttp<string>(bob, 'chain_getBlockHash', last), await charlie.hashAt(last)];
  const faults = others.every((one) => one === hash) ? [] : [`Block ${last} is not the same on all nodes`];
  const sealed = names.map(() => 0);
  for (let number = 1; number <= last; number++) {
    const at = await alice.call<string>('chain_getBlockHash', number);
    const { digest } = await alice.call<{ digest: { logs: string[] } }>('chain_getHeader', at);
    const author = authorOf(digest.logs);
    sealed[author] = (sealed[author] ?? 0) + 1;
  }
  console.log(`Sealed by ${names.map((name, index) => `${name} ${sealed[index]}`).join(', ')}`);
  // In a few slots, the lottery may leave one out.
  if (last >= 20 && sealed.includes(0)) faults.push('An authority has sealed no block');
  const offences = await reportedOffences(bob);
  if (!Array.isArray(offences) || offences.length > 0) faults.push('The chain has a report of an offence');
  return faults;
};

const follow = async (three: Three, blocks: number): Promise<string[]> => {
  const reports = watchReports(three.alice);
  let final = 0;
  let movedMs = Date.now();
  for (let nextReport = 0; final < blocks; await sleep(2000)) {
    const now = await finalAt(three.alice);
    if (now > final) movedMs = Date.now();
    final = now;
    if (Date.now() < nextReport) continue;
    nextReport = Date.now() + reportEveryMs;
    const { best, memory } = await three.charlie.state();
    const faults = await findFaults(three, reports);
    console.log(
      `Authorities: Alice ${await numberAt(three.alice)}, final ${final} of ${blocks}, Charlie ${best}, tab ${((memory ?? 0) / 1e6).toFixed(1)} MB, ${reports.count()} reports, lowest ${reports.lowest()}`,
    );
    if (faults.length > 0) return faults;
    if (Date.now() - movedMs > stalledMs) return [`Finality has stopped at block ${final}`];
  }
  return [...(await findFaults(three, reports)), ...(await compareChains(three, blocks))];
};

/**
 * A native Alice, a headless Bob and Charlie in a tab seal in their slots until so many blocks are final. Returns what
 * went wrong, as sentences.
 */
export const soakAuthorities = async ({ native, tabs, folder }: Parts, blocks: number): Promise<string[]> => {
  const spec = await writeAuthoritiesSpec(names, folder);
  const port = await freePort();
  const listens = ['--node-key', '11'.repeat(32), '--listen-addr', `/ip4/127.0.0.1/tcp/${port}/ws`];
  const alice = await serveNative(native, spec, '--alice', '--force-authoring', ...listens);
  const aliceAddress = `/ip4/127.0.0.1/tcp/${port}/ws/p2p/${await alice.call<string>('system_localPeerId')}`;
  const place = ['--chain', spec, '--base-path', `${folder}/bob`, '--bob', '--bootnodes', aliceAddress];
  const own = ['--dialect', 'polkadot-sdk', '--rpc-methods', 'unsafe'];
  const bob = await startCommand('serve', ...place, ...own, '--listen-addr', '/ip4/127.0.0.1/tcp/0/ws');
  try {
    const boot = [aliceAddress, ...bob.addresses];
    const charlie = await tabs.join(await readFile(spec, 'utf8'), boot, {
      keys: ['//Charlie'],
      seal: 'slots',
    });
    return await follow({ alice, bob: bob.http, charlie }, blocks);
  } finally {
    await stopCommand(bob.child);
    await alice.stop();
  }
};
