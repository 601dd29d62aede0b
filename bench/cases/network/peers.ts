import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BlockHash } from '../../../worker/codec/identity.ts';
import { callHttp, type Served, startCommand, stopCommand } from '../../commands.ts';
import type { Bench, Line } from '../../figure.ts';
import { median, sleep } from '../../measure.ts';
import { dialAsPeer } from '../../network/idle-peer.ts';

const idlePeers = 50;
const dials = 500;
/** How long the processor time of idle peers is counted. */
const idleMs = 20_000;
/** The kernel's unit of processor time, in ms. */
const tickMs = 10;

const dialMany = fileURLToPath(new URL('../../network/dial-many.ts', import.meta.url));

const pidOf = ({ child }: Served): number => child.pid ?? 0;

/** Memory of a process that no other uses, in bytes (Linux). */
const memoryOf = async (served: Served): Promise<number> => {
  const text = await readFile(`/proc/${pidOf(served)}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) * 1024;
};

/** Processor time of a process so far, in ms (Linux). */
const processorOf = async (served: Served): Promise<number> => {
  const text = await readFile(`/proc/${pidOf(served)}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
};

const processorWhile = async (served: Served, ms: number): Promise<number> => {
  const before = await processorOf(served);
  await sleep(ms);
  return (await processorOf(served)) - before;
};

const urlOf = ({ addresses }: Served): string => `ws://127.0.0.1:${addresses[0]?.split('/')[4]}`;

const measureIdle = async (served: Served): Promise<Line[]> => {
  const genesis = await callHttp<BlockHash>(served.http, 'chain_getBlockHash', 0);
  // What the first peer loads is not what the others cost.
  const first = await dialAsPeer(urlOf(served), 0, genesis);
  await sleep(2000);
  const alone = await processorWhile(served, idleMs);
  const before = await memoryOf(served);
  const peers = [first];
  for (let seed = 1; seed < idlePeers; seed++) peers.push(await dialAsPeer(urlOf(served), seed, genesis));
  await sleep(2000);
  const busy = await processorWhile(served, idleMs);
  const after = await memoryOf(served);
  const { peers: count } = await callHttp<{ peers: number }>(served.http, 'system_health');
  for (const { close } of peers) close();
  const note = `${count} peers`;
  return [
    {
      name: `memory of ${idlePeers} idle peers`,
      value: (after - before) / 1e3,
      unit: 'kB',
      budget: 60_000,
      note,
    },
    {
      name: `${idlePeers} idle peers: their share of a processor`,
      value: (busy - alone) / idleMs,
      unit: '×',
      budget: 0.02,
      note: `${busy} ms in ${idleMs / 1000} s, ${alone} ms with one peer`,
    },
  ];
};

const measureDials = async (served: Served): Promise<Line> => {
  const answer = async (): Promise<number> => {
    const from = performance.now();
    await callHttp(served.http, 'system_health');
    return performance.now() - from;
  };
  const quiet: number[] = [];
  for (let call = 0; call < 200; call++) quiet.push(await answer());
  const child = spawn(process.execPath, [dialMany, urlOf(served), `${dials}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let isOver = false;
  const ended = once(child.stdout, 'data').then(([data]) => {
    isOver = true;
    return Number(`${data}`);
  });
  const waits: number[] = [];
  while (!isOver) {
    waits.push(await answer());
    await sleep(1);
  }
  const done = await ended;
  return {
    name: `slowest system_health while ${dials} nodes dial at once, beyond the usual time`,
    value: Math.max(...waits) - median(quiet),
    unit: 'ms',
    budget: 50,
    note: `${waits.length} calls, median ${median(waits).toFixed(1)} ms (before: ${median(quiet).toFixed(1)} ms, slowest ${Math.max(...quiet).toFixed(1)} ms); ${done} handshakes`,
  };
};

export const networkPeers: Bench = {
  name: 'network-peers',
  about: 'memory and processor of idle peers, and what many dials delay',
  run: async () => {
    if (process.platform !== 'linux') return [{ name: 'idle peers', skipped: 'measured on Linux only' }];
    const places = ['--in-peers', `${idlePeers + 10}`, '--listen-addr', '/ip4/127.0.0.1/tcp/0/ws'];
    const served = await startCommand('serve', '--tmp', '--seal', 'manual', ...places);
    try {
      return [...(await measureIdle(served)), await measureDials(served)];
    } finally {
      await stopCommand(served.child);
    }
  },
};
