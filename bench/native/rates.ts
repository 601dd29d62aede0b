import { measureRate } from '../rate.ts';
import { type NativeLine, ratio } from './line.ts';
import type { Running } from './nodes.ts';
import { alternate, type Pair, type Sample } from './rounds.ts';
import type { Tools } from './tools.ts';
import { cpuOf } from './usage.ts';

const accounts = 10_000;
const runMs = 350;
/** Runs until the code is compiled. */
const warmUps = 2;

/** `System.Account`, and that of //Alice. */
const prefix = '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9';
const alice = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';
const aliceKey = `${prefix}de1e86a9a8c739864cf3cc5ec2bea59f${alice}`;

const loads = [
  { name: '1', about: '1 in flight', connections: 1, inFlight: 1 },
  { name: '32', about: '32 in flight', connections: 1, inFlight: 32 },
  { name: '256', about: '256 in flight', connections: 1, inFlight: 256 },
  { name: '50x4', about: '4 in flight on each of 50 connections', connections: 50, inFlight: 4 },
] as const;

type LoadName = (typeof loads)[number]['name'];

type Call = {
  readonly name: string;
  readonly method: string;
  readonly params: (keys: readonly string[]) => readonly unknown[];
  /** Least ratios of the rates. */
  readonly bars: Partial<Record<LoadName, number>>;
};

const calls: readonly Call[] = [
  { name: 'header', method: 'chain_getHeader', params: () => [], bars: { '32': 1.6 } },
  { name: 'storage', method: 'state_getStorage', params: () => [aliceKey], bars: { '32': 1.6 } },
  { name: 'keys', method: 'state_getKeysPaged', params: () => [prefix, 1000], bars: { '32': 1.2 } },
  {
    name: 'query',
    method: 'state_queryStorageAt',
    params: (keys) => [keys.slice(0, 100)],
    bars: { '32': 1.2 },
  },
  { name: 'version', method: 'state_call', params: () => ['Core_version', '0x'], bars: {} },
  {
    name: 'nonce',
    method: 'state_call',
    params: () => ['AccountNonceApi_account_nonce', `0x${alice}`],
    bars: {},
  },
  { name: 'metadata', method: 'state_getMetadata', params: () => [], bars: {} },
];

const titles: Readonly<Record<string, string>> = {
  keys: 'state_getKeysPaged of 1,000 keys',
  query: 'state_queryStorageAt of 100 keys',
  version: 'state_call of Core_version',
  nonce: 'state_call of AccountNonceApi',
};

/** Answers a second over WebSockets; processor time is that of the node per answer. The client shares the machine. */
const rate =
  ({ method, params }: Call, { connections, inFlight }: (typeof loads)[number]) =>
  async (tools: Tools, rounds: number): Promise<Pair<Sample>[]> => {
    const both = await tools.readable(accounts);
    const keys = await both.ours.withHttp((http) => http.call<string[]>('state_getKeysPaged', prefix, 1000));
    const call = [method, params(keys)] as const;
    const measure =
      ({ pid, ws }: Running) =>
      async (): Promise<Sample> => {
        const cpu = cpuOf(pid);
        const { answers, ms } = await measureRate(ws, call, { connections, inFlight, ms: runMs });
        return { value: (answers * 1000) / ms, cpu: (cpuOf(pid) - cpu) / answers };
      };
    const measured = { ours: measure(both.ours), native: measure(both.native) };
    await alternate(warmUps, measured);
    return alternate(rounds, measured);
  };

export const rateLines: readonly NativeLine[] = calls.flatMap((call) =>
  loads.map((load): NativeLine => {
    const limit = call.bars[load.name];
    return {
      name: `rate-${call.name}-${load.name}`,
      about: `${titles[call.name] ?? call.method}, ${load.about}`,
      unit: '/s',
      bar: limit === undefined ? null : ratio(limit),
      rounds: 5,
      measure: rate(call, load),
    };
  }),
);
