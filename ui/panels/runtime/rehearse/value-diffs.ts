import { writeJson } from '../../../../src/protocol/json.ts';
import type { DiffRow } from '../../../kit/display/DiffList.svelte';

type Named = Readonly<Record<string, unknown>>;

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : writeJson(value);

/**
 * The values that differ between two states, which are nested by name (`pallet`, `item`, keys, fields), each by its path. What
 * is whole on one side only is one row.
 */
export const valueDiffs = (
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): readonly DiffRow[] => {
  // The levels of pallet and item are there for either side.
  const [old, now] = path.length < 2 ? [before ?? {}, after ?? {}] : [before, after];
  if (isNamed(old) && isNamed(now))
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) =>
      valueDiffs(old[name], now[name], [...path, name]),
    );
  const texts = { before: textOf(before), after: textOf(after) };
  const name = path.join('.');
  return texts.before === texts.after ? [] : [{ key: name, name, ...texts }];
};
