import { bytesToHex, hexToBytes } from '../../../worker/bytes/hex.ts';
import { loadCrypto } from '../../../worker/crypto/crypto.ts';
import { createNode } from '../../../worker/node.ts';
import { createTestPlatform, testConfig } from '../../rigs/platform.ts';
import { openPort } from '../../rigs/ports.ts';
import { type NativeNode, unpackNativeNode } from '../native-rig.ts';
import { buildSpec, scripts } from './chain.ts';
import type { Call, Result } from './script.ts';

/** The results of all calls, or why the runtime trapped at one of them. */
export type Outcome =
  | { readonly ok: true; readonly results: readonly Result[] }
  | { readonly ok: false; readonly why: string };

/** Runs a script in a runtime call of the node; with its keystore if asked to. */
export type Side = (calls: readonly Call[], withKeystore: boolean) => Promise<Outcome>;

type Request = (method: string, ...params: unknown[]) => Promise<unknown>;

/** `state_call` offers no keystore, the generation of session keys does. */
const sideOf =
  (request: Request): Side =>
  async (calls, withKeystore) => {
    const script = bytesToHex(scripts.encodeScript(calls));
    try {
      const output = withKeystore
        ? ((await request('author_rotateKeysWithOwner', script)) as { keys: string }).keys
        : ((await request('state_call', 'run', script)) as string);
      return { ok: true, results: scripts.decodeResults(calls, hexToBytes(output)) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!why.includes('Client error')) throw error;
      return { ok: false, why };
    }
  };

/** A node of ours in this process. */
export const startOurs = async (
  specJson: string,
): Promise<{ readonly run: Side; close(): Promise<void> }> => {
  const node = await createNode(createTestPlatform(), testConfig({ specJson }, { keys: [] }));
  const port = openPort(node);
  return {
    run: sideOf((method, ...params) => port.request(method, params)),
    close: async () => {
      port.shut();
      await node.close();
    },
  };
};

const startNative = async (program: NativeNode, name: string, specJson: string) => {
  const spec = program.write(`${name}.json`, specJson);
  // Without the target of tracing spans, so that the runtime is told that nobody records them, as ours tells it.
  const node = await program.serve('--chain', spec, '--tmp', '--rpc-methods', 'unsafe', '-lwasm_tracing=off');
  const deadline = performance.now() + 120_000;
  while (!(await node.isUp())) {
    if (performance.now() > deadline) throw new Error('The native node does not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { run: sideOf((method, ...params) => node.call(method, ...params)), stop: node.stop };
};

/** The two sides on one chain. */
export type Pair = { readonly ours: Side; readonly native: Side };

/** Both sides, for each version of the state trie. */
export const startPairs = async () => {
  const crypto = await loadCrypto();
  const program = await unpackNativeNode();
  const specs = ([0, 1] as const).map((version) => buildSpec(crypto, version));
  const natives = await Promise.all(specs.map((spec, version) => startNative(program, `v${version}`, spec)));
  const ours = await Promise.all(specs.map(startOurs));
  const pairs = ours.map(
    ({ run }, version): Pair => ({ ours: run, native: (natives[version] as { run: Side }).run }),
  );
  return {
    pairs,
    specs,
    close: async (): Promise<void> => {
      await Promise.all(ours.map((side) => side.close()));
      await Promise.all(natives.map((side) => side.stop()));
      program.close();
    },
  };
};

export type Pairs = Awaited<ReturnType<typeof startPairs>>;
