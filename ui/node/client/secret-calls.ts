import { writeJson } from '../../../src/protocol/json.ts';
import { hasSecret } from '../../../src/protocol/rpc/define.ts';
import { entryOf } from '../../../src/protocol/rpc/index.ts';
import type { MethodInfo } from './method-info.ts';

const names = 'insert_?k|private_?key|suri|secret|mnemonic|seed|passphrase|password';
const secretName = new RegExp(names, 'i');
/** A member with such a name, in a JSON text that may be incomplete. */
const secretMember = new RegExp(`"[^"]*(?:${names})[^"]*"\\s*:`, 'i');

/** What a copy of a call has in the place of a secret. */
export const secretPlace = '(secret)';

/**
 * Whether a method that the table does not have takes secrets, by its name and those of its arguments: a method of
 * another node, or a misspelled one. `params` is a JSON text.
 */
const seemsSecret = (method: string, params: string): boolean =>
  secretName.test(method) || secretMember.test(params);

/** Whether a call has secrets among its arguments, so that none of them may be displayed or stored. */
export const isSecretCall = (method: string, params: readonly unknown[]): boolean => {
  const entry = entryOf(method);
  return entry === undefined ? seemsSecret(method, writeJson(params)) : hasSecret(entry);
};

/** Like `isSecretCall`, of a call that is being written: `params` is its text. */
export const isSecretText = (info: MethodInfo | null, method: string, params: string): boolean =>
  info === null ? seemsSecret(method, params) : info.params.some(({ isSecret }) => isSecret);

const withoutMembers = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutMembers);
  const members = Object.entries(value).map(([name, inner]) => [
    name,
    secretName.test(name) ? secretPlace : withoutMembers(inner),
  ]);
  return Object.fromEntries(members);
};

/** The arguments of a call for copying: each secret is replaced by `secretPlace`. */
export const withoutSecrets = (
  info: MethodInfo | null,
  method: string,
  args: readonly unknown[],
): readonly unknown[] => {
  if (info !== null) return args.map((value, at) => (info.params[at]?.isSecret ? secretPlace : value));
  return secretName.test(method) ? args.map(() => secretPlace) : args.map(withoutMembers);
};
