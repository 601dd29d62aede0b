import { parseParams } from '../../../kit/text/call-text.ts';

/** A storage value that a call returned, with what is needed to decode it. */
export type Stored = { readonly key: string; readonly hash: string | null; readonly hex: string };

const methods: readonly string[] = ['state_getStorage', 'state_getStorageAt'];

/** The parameters of a call, as typed. */
export const readParams = (params: string): readonly unknown[] => {
  const parsed = parseParams(params);
  return Array.isArray(parsed) ? parsed : Object.values(parsed);
};

/** The ApplyExtrinsicResult that a dry run returned, and the block that it ran on; null for other calls. */
export const dryRunOf = (method: string, params: string, value: unknown): Omit<Stored, 'key'> | null => {
  if (!['system_dryRun', 'system_dryRunAt'].includes(method) || typeof value !== 'string') return null;
  const [, hash] = readParams(params);
  return { hex: value, hash: typeof hash === 'string' ? hash : null };
};

/** The storage value that a call returned, which the metadata can decode; null for other calls. */
export const storedOf = (method: string, params: string, value: unknown): Stored | null => {
  if (!methods.includes(method) || typeof value !== 'string') return null;
  const [key, hash] = readParams(params);
  return typeof key === 'string' && key.length > 2
    ? { key: key.toLowerCase(), hash: typeof hash === 'string' ? hash : null, hex: value }
    : null;
};
