import { createConnection } from '../../src/connection.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { ForkStatus } from '../../src/protocol/fork-status.ts';
import { fromHex } from '../../src/scale/hex.ts';
import { decodedToPolkadotJs } from '../../src/scale/json.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import { explainKey } from '../../src/scale/storage.ts';
import { changeLines, type Tree } from '../chopsticks/change-lines.ts';
import { fetchStorages as fetchParts, readItems } from '../chopsticks/fetch-storages.ts';
import { readForkCommand } from '../chopsticks/fork-command.ts';
import { runRootCall } from '../chopsticks/root-call.ts';
import { undone } from '../chopsticks/undone.ts';
import { bad } from '../cli/arguments.ts';
import { createProgress, forTerminal, type Output } from '../cli/terminal.ts';
import {
  parseDecodeKeyArguments,
  parseDryRunArguments,
  parseFetchArguments,
  toFollowArguments,
} from '../cli/tool-arguments.ts';
import { startNodeThread } from '../thread/node-thread.ts';
import { toNodeError } from '../thread/refusal.ts';
import { follow, openForkSource } from './live-commands.ts';
import { type NodeCall, toConfig } from './serve.ts';

type Tool = { readonly call: NodeCall; readonly json: boolean; readonly isKept: boolean };

/** A fork that is not served, for the time of the work. `sets`: whether time, runtime and storage are set as asked. */
const withFork = async <T>(
  argv: readonly string[],
  sets: boolean,
  work: (tool: Tool) => Promise<T>,
): Promise<T> => {
  const { args, beforeOpen } = await readForkCommand(argv);
  const config = toConfig(args, await openForkSource(args));
  const node = await startNodeThread({ ...config, seal: { kind: 'manual' } });
  try {
    const connection = createConnection(await node.openPort({ dialect: 'polkadot-sdk', denyUnsafe: false }));
    const call: NodeCall = (method, params) =>
      connection.request(method, params).catch((error: unknown) => {
        throw toNodeError(error);
      });
    if (sets) await beforeOpen(call);
    return await work({ call, json: args.json, isKept: args.basePath != null });
  } finally {
    await node.stop();
  }
};

type Ran = { readonly outcome: unknown; readonly old: Tree; readonly new: Tree };

/** Returns the exit code. */
const printRun = (output: Output, json: boolean, what: string, ran: Ran): number => {
  const isOk = ran.outcome === 'Ok';
  const outcome = isOk ? 'Ok' : `failed: ${JSON.stringify((ran.outcome as { Err: unknown }).Err)}`;
  const text = [`${what}: ${outcome}`, ...changeLines(ran.old, ran.new)].join('\n');
  output.line(json ? JSON.stringify({ what, ...ran }) : forTerminal(text));
  return isOk ? 0 : 1;
};

const before = 'tabnode:before-dry-run';

/** Bytes that are no extrinsic are often a call, whose account is missing. */
const orIsCall = (error: unknown): unknown =>
  error instanceof NodeError && error.code === 'BadExtrinsic'
    ? new NodeError(error.code, `${error.message}. If they are a call, name its account with --address`)
    : error;

/** `tabnode dry-run`: the effects of an extrinsic or a call. */
export const dryRun = async (argv: readonly string[], output: Output): Promise<number> => {
  const { extrinsic, address, preimage, at, fork } = parseDryRunArguments(argv);
  return withFork(fork, true, ({ call, json }) =>
    // A stored fork stays as it was.
    undone(call, before, async () => {
      const ofRoot = preimage === null ? null : await runRootCall(call, preimage);
      const root = ofRoot === null ? 0 : printRun(output, json, 'preimage', ofRoot);
      if (extrinsic === null) return root;
      const what = address === null ? extrinsic : { call: extrinsic, address };
      const ran = (await call('dev_dryRun', [{ extrinsic: what, at, hooks: true }]).catch(
        (error: unknown) => {
          throw address === null ? orIsCall(error) : error;
        },
      )) as Ran;
      return Math.max(root, printRun(output, json, 'extrinsic', ran));
    }),
  );
};

/** `tabnode fetch-storages`: reads parts of a state ahead. */
export const fetchStorages = async (argv: readonly string[], output: Output): Promise<number> => {
  const { items: texts, fork } = parseFetchArguments(argv);
  const items = readItems(texts, 'fetch-storages');
  if (items.length === 0) throw bad('fetch-storages takes what to read, such as System.Account');
  return withFork(fork, false, async ({ call, json, isKept }) => {
    if (!isKept) throw bad('fetch-storages keeps what it reads: add --base-path or --db');
    const progress = createProgress('values');
    const values = await fetchParts(call, items, (count) => progress.show(count)).finally(progress.end);
    const { fork: status } = (await call('dev_status', [])) as { readonly fork: ForkStatus };
    const { requests, bytes, base } = status;
    output.line(
      json
        ? JSON.stringify({ values, requests, bytes, base })
        : `${values} values of block #${base.number} are stored; ${requests} requests`,
    );
    return 0;
  });
};

/** `tabnode decode-key`: the meaning of a storage key. */
export const decodeKey = async (argv: readonly string[], output: Output): Promise<number> => {
  const { key, fork } = parseDecodeKeyArguments(argv);
  return withFork(fork, false, async ({ call, json }) => {
    const meta = createRuntimeMeta(fromHex(String(await call('state_getMetadata', []))));
    const meaning = explainKey(meta, key);
    if (meaning.kind !== 'entry') {
      const name =
        meaning.kind === 'pallet' ? meaning.pallet : meaning.kind === 'known' ? meaning.name : null;
      output.line(
        json
          ? JSON.stringify({ pallet: name, item: null, keys: [] })
          : (name ?? 'Unknown: no pallet of the runtime has this key'),
      );
      return name === null ? 1 : 0;
    }
    const { entry, keys } = meaning;
    const values = keys.map((one) => (one.kind === 'hash' ? one.hash : decodedToPolkadotJs(one.value)));
    const text = [`${entry.pallet}.${entry.name}`, ...values.map((one) => JSON.stringify(one))].join(' ');
    output.line(
      json ? JSON.stringify({ pallet: entry.pallet, item: entry.name, keys: values }) : forTerminal(text),
    );
    return 0;
  });
};

/** `tabnode follow-chain`: `tabnode follow` with the options of chopsticks. */
export const followChain = (argv: readonly string[], output: Output): Promise<number> =>
  follow(toFollowArguments(argv), output);
