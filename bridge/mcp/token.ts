import { randomBytes } from 'node:crypto';
import { NodeError } from '../../src/protocol/errors.ts';

/** The secret that clients over HTTP have to present; `value` null: none. */
export type Token = { readonly value: string | null; readonly isGiven: boolean };

const variable = 'TABNODE_MCP_TOKEN';

/**
 * From the environment, so that the configuration of a client stays valid, or else a new one. Arguments would
 * show it to every user of the machine. Throws `BadConfig` if it cannot be sent in a header or is too short.
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
