import type { Line } from './figure.ts';
import { median } from './measure.ts';

/**
 * The calls whose round trip over a port is measured: `System.Account` of //Alice is 80 bytes,
 * `system_health` three small numbers.
 */
export const portCalls: readonly (readonly [method: string, params: readonly unknown[]])[] = [
  [
    'state_getStorage',
    [
      '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9de1e86a9a8c739864cf3cc5ec2bea59fd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d',
    ],
  ],
  ['system_health', []],
];

/** Milliseconds per round trip: a call, the bare echo, and the median of their ratios. */
export type Trips = { readonly rpc: number; readonly echo: number; readonly ratio: number };

const calls = 200;
const groups = 80;

const eachTime = async (call: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  for (let index = 0; index < calls; index++) await call();
  return (performance.now() - from) / calls;
};

/** Alternating, so that other load on the machine affects both equally. */
export const compareTrips = async (
  ask: () => Promise<unknown>,
  echo: () => Promise<unknown>,
): Promise<Trips> => {
  const pairs: [number, number][] = [];
  for (let group = 0; group < groups; group++) pairs.push([await eachTime(ask), await eachTime(echo)]);
  const warm = pairs.slice(groups / 4);
  return {
    rpc: median(warm.map(([rpc]) => rpc)),
    echo: median(warm.map(([, echoed]) => echoed)),
    ratio: median(warm.map(([rpc, echoed]) => rpc / echoed)),
  };
};

export const tripLine = (where: string, method: string, { rpc, echo, ratio }: Trips): Line => ({
  name: `${where}${method} over a port against an echo`,
  value: ratio,
  unit: '×',
  budget: 1.3,
  note: `${(rpc * 1000).toFixed(1)} µs, echo of the same request by the same worker ${(echo * 1000).toFixed(1)} µs`,
});
