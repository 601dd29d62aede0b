import type { CallMeta } from '../../../../src/scale/calls.ts';

const mostShown = 100;

/**
 * Calls whose name or docs contain every typed word. An exact name ranks first, then names that start with
 * the text.
 */
export const findCalls = (calls: readonly CallMeta[], typed: string): readonly CallMeta[] => {
  // polkadot-js writes `transferKeepAlive`.
  const bare = (text: string): string => text.toLowerCase().replaceAll('_', '');
  const words = bare(typed).split(/\s+/).filter(Boolean);
  const first = words[0] ?? '';
  /** `batch all` also matches `batch_all`. */
  const joined = words.join('');
  const rank = ({ label, pallet }: CallMeta): number => {
    const text = bare(label);
    const short = text.slice(bare(pallet).length + 1);
    if (text === joined || short === joined) return 0;
    if (text.startsWith(joined) || short.startsWith(joined)) return 1;
    return words.every((word) => text.includes(word)) ? 2 : text.includes(first) ? 3 : 4;
  };
  return calls
    .filter(({ label, docs }) => {
      const text = bare(`${label} ${docs}`);
      return words.every((word) => text.includes(word));
    })
    .map((call, index) => ({ call, key: rank(call) * 10_000 + index }))
    .sort((a, b) => a.key - b.key)
    .slice(0, mostShown)
    .map(({ call }) => call);
};
