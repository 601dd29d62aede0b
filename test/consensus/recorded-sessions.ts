import { expect } from 'vitest';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';

/** One line of a recorded session: a request, its response, and the notifications of its subscription. */
export type SessionLine = {
  readonly session: string;
  readonly seq: number;
  readonly connection?: number;
  readonly request?: { readonly id: number; readonly method: string; readonly params: unknown };
  readonly response?: { readonly result?: unknown; readonly error?: { readonly code: number } };
  readonly notifications?: readonly {
    readonly afterSeq: number;
    readonly message: { readonly method: string; readonly params: { readonly result: unknown } };
  }[];
};

type Told = { readonly afterSeq: number; readonly method: string; readonly result: unknown };
export type Answered = {
  readonly line: SessionLine;
  readonly answer: { readonly result?: unknown; readonly error?: { readonly code: number } };
  /** Filled as the session proceeds. */
  readonly told: readonly Told[];
};

const hashPattern = /^0x[0-9a-f]{64}$/;

/** Maps the recording's identifiers to ours, one to one. */
export const createBijection = () => {
  const ours = new Map<string, string>();
  const theirs = new Map<string, string>();
  return {
    /** Returns whether the two may correspond. */
    pair: (their: string, our: string): boolean => {
      if (!ours.has(their) && !theirs.has(our)) {
        ours.set(their, our);
        theirs.set(our, their);
      }
      return ours.get(their) === our && theirs.get(our) === their;
    },
    knows: (their: string): boolean => ours.has(their),
    /** Replaces the recording's identifiers in a value with ours. */
    translate: (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
        typeof item === 'string' ? (ours.get(item) ?? item) : item,
      ),
  };
};
export type Bijection = ReturnType<typeof createBijection>;

/** Members with hashes that depend on random seals. */
const randomMembers = new Set([
  'hash',
  'parentHash',
  'stateRoot',
  'block',
  'inBlock',
  'retracted',
  'finalized',
  'blockHash',
  'parentBlockHash',
  'bestBlockHash',
]);

/**
 * Removes VRF proofs, seals and the truncated hash of a refused block, which are random, and the lines that
 * engines write after a trap's first line.
 */
const plain = (text: string): string => {
  if (text.startsWith('0x0542414245')) return '0x0542414245';
  if (text.startsWith('0x')) return text.replace(/(0642414245b501\w{90})\w{128}/g, '$1');
  if (text.includes('no associated weight')) return text.replace(/0x[0-9a-f]{4}…[0-9a-f]{4}/, '0x…');
  return text.includes('aborted due to trap') ? text.replace(/(\n|\\n).*/s, '') : text;
};

/**
 * The paths of the differences between two values. Hashes that depend on random seals are paired instead of
 * compared.
 */
export const findDifferences = (names: Bijection, their: unknown, our: unknown, path = ''): string[] => {
  if (typeof their === 'string' && typeof our === 'string') {
    const areHashes = hashPattern.test(their) && hashPattern.test(our);
    const isRandom = randomMembers.has(path.slice(path.lastIndexOf('.') + 1)) || names.knows(their);
    if (areHashes && isRandom && names.pair(their, our)) return [];
    if (plain(their) === plain(our)) return [];
  }
  if (typeof their !== 'object' || typeof our !== 'object' || their === null || our === null)
    return their === our ? [] : [`${path}: ${JSON.stringify({ their, our }).slice(0, 400)}`];
  const keys = new Set([...Object.keys(their), ...Object.keys(our)]);
  const [theirMembers, ourMembers] = [their, our] as Record<string, unknown>[];
  return [...keys].flatMap((key) =>
    findDifferences(names, theirMembers?.[key], ourMembers?.[key], `${path}.${key}`),
  );
};

/** Resolves when every task that is due now has run. */
const nextTask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Resolves when nothing is in progress: no block being built, no validation, no pending notification. */
const settle = async (node: Node): Promise<void> => {
  for (let round = 0; round < 5; round++) {
    await nextTask();
    await node.parts.author.idle();
    await node.parts.pool.idle();
  }
};

/** Replays a recorded session on one of our nodes. `skips` selects the lines that cannot be replayed. */
export const replaySession = async (
  node: Node,
  lines: readonly SessionLine[],
  names: Bijection,
  skips: (line: SessionLine) => boolean,
): Promise<Answered[]> => {
  const server = createRpcServer(node.parts);
  const answers: Answered['answer'][] = [];
  const told = new Map<string, Told[]>();
  let seq = 0;
  const receive = (text: string): void => {
    const message = JSON.parse(text) as {
      method?: string;
      params?: { subscription: string; result: unknown };
    } & Answered['answer'];
    if (message.params === undefined || message.method === undefined) {
      answers.push(message);
      return;
    }
    const { subscription, result } = message.params;
    told.get(subscription)?.push({ afterSeq: seq, method: message.method, result }) ??
      told.set(subscription, [{ afterSeq: seq, method: message.method, result }]);
  };
  const connect = () =>
    server.connect(receive, { dialect: 'polkadot-sdk', denyUnsafe: false, transport: 'ws' });
  const connections = new Map<number, ReturnType<typeof connect>>();
  const out: Answered[] = [];
  for (const line of lines) {
    if (line.request === undefined || skips(line)) continue;
    const number = line.connection ?? 1;
    const connection = connections.get(number) ?? connect();
    connections.set(number, connection);
    seq = line.seq;
    connection.receive(JSON.stringify(names.translate(line.request)));
    await expect.poll(() => answers.length, { timeout: 20_000 }).toBe(1);
    await settle(node);
    const [answer] = answers.splice(0);
    if (answer === undefined) throw new Error('no answer');
    const { result } = answer;
    const theirs = line.response?.result;
    if (line.notifications !== undefined && typeof result === 'string' && typeof theirs === 'string') {
      names.pair(theirs, result);
      if (!told.has(result)) told.set(result, []);
    }
    // Block hashes are paired as they are created, so that later requests can refer to them.
    const made = [theirs, result].map((value) => (value as { hash?: string } | null | undefined)?.hash);
    if (made[0] !== undefined && made[1] !== undefined) names.pair(made[0], made[1]);
    out.push({ line, answer, told: typeof result === 'string' ? (told.get(result) ?? []) : [] });
  }
  server.close();
  return out;
};
