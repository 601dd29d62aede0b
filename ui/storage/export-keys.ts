import type { UiNode } from '../client/ui-node.ts';

/** Page limits of the node; values are larger than keys. */
const keysPerPage = 1000;
const valuesPerPage = 500;

type Source = Pick<UiNode, 'rpc'>;
type Options = {
  readonly signal: AbortSignal;
  /** Called with the number of values loaded so far. */
  readonly onprogress: (count: number) => void;
};

const loadKeys = async (
  { rpc }: Source,
  prefix: string,
  hash: string,
  signal: AbortSignal,
): Promise<string[]> => {
  const keys: string[] = [];
  for (;;) {
    const wanted = { prefix, count: keysPerPage, start_key: keys.at(-1), hash };
    const page = await rpc.state_getKeysPaged(wanted, { signal });
    keys.push(...page);
    if (page.length < keysPerPage) return keys;
  }
};

/**
 * Every key under a prefix with its value at one block. Rejects if any of them cannot be read: a partial file
 * would look complete, and an import deletes keys with a null value.
 */
export const loadAllPairs = async (
  node: Source,
  prefix: string,
  hash: string,
  { signal, onprogress }: Options,
): Promise<Readonly<Record<string, string>>> => {
  const keys = await loadKeys(node, prefix, hash, signal);
  const pairs: Record<string, string> = {};
  for (let from = 0; from < keys.length; from += valuesPerPage) {
    const wanted = keys.slice(from, from + valuesPerPage);
    const [set] = await node.rpc.state_queryStorageAt({ keys: wanted, at: hash }, { signal });
    const values = new Map(set?.changes);
    for (const key of wanted) {
      const value = values.get(key);
      if (value === undefined || value === null)
        throw new Error(`The node returned no value for the key ${key}.`);
      pairs[key] = value;
    }
    onprogress(from + wanted.length);
  }
  return pairs;
};
