import { readArgs } from '../../call-form/written-call.svelte.ts';
import type { MethodInfo } from '../../client/method-info.ts';
import { parseParams } from '../../text/call-text.ts';
import type { CallEntry } from '../history/call-entry.ts';

/** A storage value that a call returned, with what is needed to decode it. */
export type Stored = { readonly key: string; readonly hash: string | null; readonly hex: string };

const methods: readonly string[] = ['state_getStorage', 'state_getStorageAt'];

/** The parameters of a call, as typed. */
export const readParams = (params: string): readonly unknown[] => {
  const parsed = parseParams(params);
  return Array.isArray(parsed) ? parsed : Object.values(parsed);
};

/** A call of the history: its parameters as typed, and the best block when it was run. */
type Asked = Pick<CallEntry, 'method' | 'params' | 'best'>;

/** The block that a call named, else the best one of its time: since then the runtime may have been upgraded. */
const blockOf = (hash: unknown, { best }: Asked): string | null =>
  typeof hash === 'string' ? hash : (best ?? null);

/** The ApplyExtrinsicResult that a dry run returned, and the block that it ran on; null for other calls. */
export const dryRunOf = (
  asked: Asked,
  info: MethodInfo | null,
  value: unknown,
): Omit<Stored, 'key'> | null => {
  if (!['system_dryRun', 'system_dryRunAt'].includes(asked.method) || typeof value !== 'string') return null;
  const [, hash] = readArgs(info, asked.params).args ?? [];
  return { hex: value, hash: blockOf(hash, asked) };
};

/** The storage value that a call returned, which the metadata can decode; null for other calls. */
export const storedOf = (asked: Asked, info: MethodInfo | null, value: unknown): Stored | null => {
  if (!methods.includes(asked.method) || typeof value !== 'string') return null;
  const [key, hash] = readArgs(info, asked.params).args ?? [];
  return typeof key === 'string' && key.length > 2
    ? { key: key.toLowerCase(), hash: blockOf(hash, asked), hex: value }
    : null;
};
