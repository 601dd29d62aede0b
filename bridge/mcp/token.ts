import { randomBytes } from 'node:crypto';
import { NodeError } from '../../src/protocol/errors.ts';

/** The secret that HTTP clients have to present; `value` is null if none is needed. */
export type Token = { readonly value: string | null; readonly isGiven: boolean };

const variable = 'TABNODE_MCP_TOKEN';

/**
 * The token from the environment, which keeps client configurations valid across restarts, or else a random
 * one. There is no flag for it, because every user of the machine can read command lines. Throws `BadConfig`
 * if the token is too short or not valid in a header.
 */
export const readToken = (isNeeded: boolean): Token => {
  if (!isNeeded) return { value: null, isGiven: false };
  const given = process.env[variable];
  if (given === undefined) return { value: randomBytes(24).toString('base64url'), isGiven: false };
  if (/^[\w.~+/-]{16,}=*$/.test(given)) return { value: given, isGiven: true };
  throw new NodeError(
    'BadConfig',
    `${variable} must have 16 or more characters, all of them letters, digits or one of - . _ ~ + /`,
  );
};
