import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Secret } from '../../src/protocol/bridge.ts';
import { closeSecretFile, refuseForeignLink, writeSecretFile } from '../../worker/db/files.ts';
import { elapsedMs } from '../cli/terminal.ts';

/** The secrets that pages have to prove they know. */
export type Pairing = {
  /** Creates a code that works once. Invalidates the previous one. */
  newCode(): string;
  /** The token for pages of an origin. */
  tokenOf(origin: string): string;
  /** The secret that a page of this origin has to know; null if there is no valid code. */
  secretOf(kind: Secret, origin: string): string | null;
  /** Invalidates the code. */
  useCode(): void;
};

const codeLifeMs = 10 * 60_000;
const secretBytes = 16;
const keyBytes = 32;

const newSecret = (): string => randomBytes(secretBytes).toString('base64url');

/**
 * Codes are kept in memory. Tokens are derived from the bridge's key, its address and the page's origin, so
 * that they survive restarts of both sides and are useless elsewhere.
 */
export const createPairing = (
  key: Uint8Array,
  address: () => string,
  now: () => number = elapsedMs,
): Pairing => {
  let code: { readonly text: string; readonly untilMs: number } | null = null;
  const tokenOf: Pairing['tokenOf'] = (origin) =>
    createHmac('sha256', key).update(`tabnode-bridge token ${address()} ${origin}`).digest('base64url');
  return {
    newCode: () => {
      code = { text: newSecret(), untilMs: now() + codeLifeMs };
      return code.text;
    },
    tokenOf,
    secretOf: (kind, origin) => {
      if (kind === 'token') return tokenOf(origin);
      return code !== null && now() < code.untilMs ? code.text : null;
    },
    useCode: () => {
      code = null;
    },
  };
};

/**
 * The bridge's key, from a file that only its user can read and that is created on first use. If it cannot be
 * stored, `isKept` is false and pages have to be paired again after a restart. `wasOpen`: others could read it
 * until now. Rejects with `BadConfig` if the file is a link of another user.
 */
export const loadBridgeKey = async (
  path: string,
): Promise<{ readonly key: Uint8Array; readonly isKept: boolean; readonly wasOpen: boolean }> => {
  refuseForeignLink(path);
  const found = await readFile(path).catch(() => null);
  if (found !== null && found.length === keyBytes) {
    const wasOpen = closeSecretFile(path);
    return { key: new Uint8Array(found), isKept: true, wasOpen };
  }
  const key = new Uint8Array(randomBytes(keyBytes));
  try {
    writeSecretFile(path, key, 'w');
    return { key, isKept: true, wasOpen: false };
  } catch {
    return { key, isKept: false, wasOpen: false };
  }
};
