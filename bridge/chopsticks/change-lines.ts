import { bytesToText } from '../../worker/bytes/bytes.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';

/** Values by pallet, item and key, as `dev_dryRun` returns them. */
export type Tree = { readonly [name: string]: unknown };

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A key that is text, such as `:extrinsic_index`, as that text. */
const readable = (name: string): string => {
  if (!/^0x3a([2-7][0-9a-f])+$/.test(name)) return name;
  const text = bytesToText(hexToBytes(name));
  return text.includes('\x7f') ? name : text;
};

/** What a list has got at its end, such as the events of a block; null: it differs otherwise. */
const addedTo = (old: unknown, next: unknown): readonly unknown[] | null => {
  if (!Array.isArray(old) || !Array.isArray(next) || next.length <= old.length) return null;
  const isSame = old.every((one, at) => JSON.stringify(one) === JSON.stringify(next[at]));
  return isSame ? next.slice(old.length) : null;
};

/** Each value that differs, before and after, by pallet, item and key; of a list that has grown, what was added. */
export const changeLines = (before: Tree, after: Tree, depth = 3, path = ''): string[] =>
  Object.keys(after).flatMap((name) => {
    const [old, next] = [before[name], after[name]];
    const here = path === '' ? readable(name) : `${path}.${name}`;
    if (depth > 1 && isTree(next) && (isTree(old) || old === undefined))
      return changeLines(isTree(old) ? old : {}, next, depth - 1, here);
    const [was, is] = [JSON.stringify(old ?? null), JSON.stringify(next)];
    if (was === is) return [];
    const added = addedTo(old, next);
    if (added === null) return [`  ${here}: ${was} → ${is}`];
    return [`  ${here}: ${added.length} added`, ...added.map((one) => `    ${JSON.stringify(one)}`)];
  });
