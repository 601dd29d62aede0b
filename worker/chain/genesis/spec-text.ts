import { noBytes, startsWithBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import type { BlockHash } from '../../codec/identity.ts';
import { type Backend, childPrefix } from '../../state/backend.ts';
import type { Chain } from '../chain.ts';
import type { ChainSpec } from './spec.ts';

/** Writes the text in parts, because a state may exceed the maximum length of a string. */
type Write = (text: string) => Promise<void>;

type StateReader = Pick<Chain, 'withState'>;

/** How many keys are read at once. */
const keysAtOnce = 512;

type Pair = readonly [key: Uint8Array, value: Uint8Array];

/** The next keys after `start` of the main trie, or of a child trie, with their values. */
const readPairs = (backend: Backend, child: Uint8Array | null, start: Uint8Array | null): Pair[] => {
  const keys: Uint8Array[] = [];
  const range = { prefix: noBytes, start, inclusive: false };
  const visit = (key: Uint8Array): boolean => keys.push(key) < keysAtOnce;
  if (child === null) backend.visitKeys(range, visit);
  else backend.childVisitKeys(child, range, visit);
  const read = (key: Uint8Array) => (child === null ? backend.get(key) : backend.childGet(child, key));
  return keys.map((key) => [key, read(key) ?? noBytes] as const);
};

async function* eachPairs(
  chain: StateReader,
  hash: BlockHash,
  child: Uint8Array | null,
): AsyncGenerator<readonly Pair[]> {
  let start: Uint8Array | null = null;
  for (;;) {
    const from: Uint8Array | null = start;
    const read = (backend: Backend): readonly Pair[] => readPairs(backend, child, from);
    const pairs = await chain.withState(hash, read, read);
    if (pairs.length > 0) yield pairs;
    if (pairs.length < keysAtOnce) return;
    start = pairs.at(-1)?.[0] ?? null;
  }
}

/** The members of an object in the layout of serde_json, from an indentation of `depth` levels. */
const createObject = (write: Write, depth: number) => {
  const indent = '  '.repeat(depth);
  let isEmpty = true;
  return {
    /** Members as text, such as `"name": value`. */
    add: async (members: readonly string[]): Promise<void> => {
      if (members.length === 0) return;
      await write(`${isEmpty ? '{' : ','}\n${members.map((member) => `${indent}  ${member}`).join(',\n')}`);
      isEmpty = false;
    },
    end: (): Promise<void> => write(isEmpty ? '{}' : `\n${indent}}`),
  };
};

const pairText = ([key, value]: Pair): string => `"${bytesToHex(key)}": "${bytesToHex(value)}"`;

type Raw = {
  readonly chain: StateReader;
  readonly hash: BlockHash;
  readonly write: Write;
  readonly onKeys: (keys: number) => void;
};

/** Omits the roots of child tries, because they follow from `childrenDefault`. */
const writeTop = async ({ chain, hash, write, onKeys }: Raw): Promise<Uint8Array[]> => {
  const top = createObject(write, 3);
  const children: Uint8Array[] = [];
  for await (const pairs of eachPairs(chain, hash, null)) {
    const isChild = ([key]: Pair): boolean => startsWithBytes(key, childPrefix);
    for (const [key] of pairs.filter(isChild)) children.push(key.slice(childPrefix.length));
    await top.add(pairs.filter((pair) => !isChild(pair)).map(pairText));
    onKeys(pairs.length);
  }
  await top.end();
  return children;
};

/** The `genesis` of a raw specification: the whole state of a block, in key order. */
const writeRaw = async (raw: Raw): Promise<void> => {
  const { chain, hash, write, onKeys } = raw;
  await write('{\n    "raw": {\n      "top": ');
  const children = await writeTop(raw);
  await write(',\n      "childrenDefault": ');
  const all = createObject(write, 3);
  for (const child of children) {
    await all.add([`"${bytesToHex(child)}": `]);
    const own = createObject(write, 4);
    for await (const pairs of eachPairs(chain, hash, child)) {
      await own.add(pairs.map(pairText));
      onKeys(pairs.length);
    }
    await own.end();
  }
  await all.end();
  await write('\n    }\n  }');
};

/** Everything except the genesis, in the SDK's order (sc-chain-spec `ClientSpec`). */
const specHead = ({ name, id, chainType, bootNodes, properties, rest }: ChainSpec): object => {
  const { telemetryEndpoints = null, protocolId = null, forkId, codeSubstitutes = {}, ...others } = rest;
  const { consensusEngine: _, ...extensions } = others;
  const known = { name, id, chainType, bootNodes, telemetryEndpoints, protocolId };
  return {
    ...known,
    ...(forkId === undefined ? {} : { forkId }),
    properties,
    ...extensions,
    codeSubstitutes,
  };
};

/**
 * Writes a chain specification like sc-chain-spec. The genesis is either the given object or, for a hash, the
 * state of that block; `onKeys` is called with the number of keys of each part.
 */
export const writeSpecText = async (
  chain: StateReader,
  spec: ChainSpec,
  genesis: object | BlockHash,
  write: Write,
  onKeys: (keys: number) => void = () => undefined,
): Promise<void> => {
  const head = JSON.stringify(specHead(spec), null, 2).slice(0, -2);
  await write(`${head},\n  "genesis": `);
  if (typeof genesis === 'string') await writeRaw({ chain, hash: genesis, write, onKeys });
  else await write(JSON.stringify(genesis, null, 2).replaceAll('\n', '\n  '));
  await write('\n}\n');
};
