import type { MethodInfo } from '../client/method-info.ts';

/** A call to copy as text. */
export type CopyCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly info: MethodInfo | null;
};

/** The default addresses of `tabnode serve`. */
export const http = 'http://127.0.0.1:9933';
export const ws = 'ws://127.0.0.1:9944';

/** The page's own node has no address, so copied code calls a node that runs outside the browser. */
export const startFirst = 'Start a node first: npx tabnode serve --dev';

export const lines = (...parts: readonly string[]): string => parts.join('\n');

export const isSubscription = ({ info }: CopyCall): boolean => info?.role === 'subscribe';
