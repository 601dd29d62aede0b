import type { ForkProgress } from '../../../src/protocol/fork-source.ts';
import type { Origin, ProofRequest } from '../../chain/origin.ts';
import type { KeyName, KeyNames, StorageNames } from './key-names.ts';

/** Between two messages. */
const everyMs = 100;

/** What most keys of the main trie are of; null if the names of none are known. */
export const largestPart = (
  requests: readonly ProofRequest[],
  names: Pick<KeyNames, 'of'>,
): ForkProgress['reading'] => {
  const pallets = new Map<string, KeyName[]>();
  for (const { child, keys } of requests)
    for (const key of child === null ? keys : []) {
      const name = names.of(key);
      if (name === null) continue;
      const known = pallets.get(name.pallet);
      if (known === undefined) pallets.set(name.pallet, [name]);
      else known.push(name);
    }
  let largest: readonly KeyName[] = [];
  for (const found of pallets.values()) if (found.length > largest.length) largest = found;
  const [first] = largest;
  if (first === undefined) return null;
  const item = largest.every((one) => one.item === first.item) ? first.item : null;
  return { pallet: first.pallet, item, keys: largest.length };
};

export type ReportedOrigin = Origin & {
  /** Where the names of the runtime's storage are read, once a request needs them. */
  nameBy(load: () => Promise<StorageNames>): void;
};

/**
 * The origin, with a message about what was read after each change of that, at most ten per second. The last one is
 * never left out.
 */
export const reportProgress = (
  origin: Origin,
  port: MessagePort,
  schedule: (ms: number, run: () => void) => () => void,
  names: KeyNames,
): ReportedOrigin => {
  let items = 0;
  let last: readonly ProofRequest[] = [];
  let rest: (() => void) | null = null;
  let isDue = false;
  let loadNames: (() => Promise<StorageNames>) | null = null;
  const post = (): void => {
    const { requests, bytes } = origin.stats();
    port.postMessage({ requests, bytes, items, reading: largestPart(last, names) } satisfies ForkProgress);
    isDue = false;
    rest = schedule(everyMs, () => {
      rest = null;
      if (isDue) post();
    });
  };
  const report = (): void => {
    isDue = true;
    if (rest === null) post();
  };
  const stop = origin.onProgress(report);
  /** While a request is under way, there is time to decode metadata. Without names, progress has only numbers. */
  const learnNames = async (): Promise<void> => {
    const load = loadNames;
    loadNames = null;
    if (load === null) return;
    names.add(await load().catch(() => []));
    report();
  };
  return {
    ...origin,
    nameBy: (load) => {
      loadNames = load;
    },
    nodes: (at, requests, wanted) => {
      for (const { keys } of requests) items += keys.length;
      last = requests;
      report();
      const nodes = origin.nodes(at, requests, wanted);
      void learnNames();
      return nodes;
    },
    close: () => {
      stop();
      rest?.();
      origin.close();
      port.close();
    },
  };
};
