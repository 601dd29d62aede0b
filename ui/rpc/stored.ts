import { parseParams } from '../state/call-text.ts';

/** A storage value that a call answered, with what it takes to decode it. */
export type Stored = { readonly key: string; readonly hash: string | null; readonly hex: string };

const methods: readonly string[] = ['state_getStorage', 'state_getStorageAt'];

/** What of an answer can be decoded by the metadata: the value of a storage key. Null for anything else. */
export const storedOf = (method: string, params: string, value: unknown): Stored | null => {
  if (!methods.includes(method) || typeof value !== 'string') return null;
  const given = parseParams(params);
  const [key, hash] = (Array.isArray(given) ? given : Object.values(given)) as readonly unknown[];
  return typeof key === 'string' && key.length > 2
    ? { key: key.toLowerCase(), hash: typeof hash === 'string' ? hash : null, hex: value }
    : null;
};
