import { writeJson } from '../../../src/protocol/json.ts';
import { tabnodeCommand } from '../../kit/text/tabnode-command.ts';
import type { MethodInfo } from '../../node/client/method-info.ts';
import { withoutSecrets } from '../../node/client/secret-calls.ts';

/** A call to copy as text. */
export type CopyCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly info: MethodInfo | null;
  /** Whether a secret was left out. */
  readonly isHidden?: boolean;
};

/** A call to copy, without its secrets: what is copied often ends in a file or a chat. */
export const copyCallOf = (info: MethodInfo | null, method: string, args: readonly unknown[]): CopyCall => {
  const params = withoutSecrets(info, method, args);
  return { method, params, info, isHidden: writeJson(params) !== writeJson(args) };
};

/** The default addresses of `tabnode serve`. */
export const http = 'http://127.0.0.1:9933';
export const ws = 'ws://127.0.0.1:9944';

/** The page's own node has no address, so copied code calls a node that runs outside the browser. */
export const startFirst = (): string => {
  const { text, where } = tabnodeCommand('serve --dev');
  return `Start a node first: ${where}${text}`;
};

export const lines = (...parts: readonly string[]): string => parts.join('\n');

export const isSubscription = ({ info }: CopyCall): boolean => info?.role === 'subscribe';
