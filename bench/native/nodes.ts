import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NativeNode } from '../../test/native/native-rig.ts';
import { startProgram, stopCommand } from '../commands.ts';
import { sleep } from '../measure.ts';
import { type Http, openHttp } from './http.ts';
import type { Pair } from './rounds.ts';

/** The command as the package has it. */
export const tabnode = fileURLToPath(new URL('../../dist/node/tabnode.js', import.meta.url));

/** A node that runs in a process of its own. */
export type Running = {
  readonly pid: number;
  readonly http: string;
  readonly ws: string;
  /** With a connection of its own, which ends with it. */
  withHttp<T>(run: (http: Http) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** Starts a node of this specification that seals when it is asked to, with the key of //Alice; resolves with its first answer. */
export type Start = (spec: string, place: readonly string[]) => Promise<Running>;

const running = (node: Pick<Running, 'pid' | 'http' | 'ws' | 'stop'>): Running => ({
  ...node,
  withHttp: async (run) => {
    const http = openHttp(node.http);
    try {
      return await run(http);
    } finally {
      http.close();
    }
  },
});

const sealing = ['--alice', '--seal', 'manual'];

const startOurs =
  (program: string): Start =>
  async (spec, place) => {
    const chain = ['serve', '--chain', spec, ...place, ...sealing, '--dialect', 'polkadot-sdk'];
    const served = await startProgram(program, ...chain);
    const { ws, http, child } = served;
    const node = running({ ws, http, pid: child.pid ?? 0, stop: () => stopCommand(child) });
    await node.withHttp(({ call }) => call('chain_getHeader'));
    return node;
  };

const startNative =
  (native: NativeNode): Start =>
  async (spec, place) => {
    const key = ['--node-key', '00'.repeat(31).concat('01'), '--rpc-methods', 'unsafe'];
    const limits = ['--rpc-max-connections', '1000', '--rpc-max-response-size', '100'];
    const node = await native.serve('--chain', spec, ...place, ...sealing, ...key, ...limits);
    while (!(await node.isUp())) await sleep(5);
    const { address, pid, stop } = node;
    return running({ http: `http://${address}`, ws: `ws://${address}`, pid, stop });
  };

export const starters = (program: string, native: NativeNode): Pair<Start> => ({
  ours: startOurs(program),
  native: startNative(native),
});

/** An empty folder for a chain. */
export const newPlace = (folder: string): readonly [flag: string, folder: string] => [
  '--base-path',
  mkdtempSync(join(folder, 'chain')),
];
