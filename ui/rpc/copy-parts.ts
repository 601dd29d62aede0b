import type { MethodInfo } from '../state/method-info.ts';

/** A call to be written down. */
export type CopyCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly info: MethodInfo | null;
};

/** Where `tabnode serve` listens by itself. */
export const http = 'http://127.0.0.1:9933';
export const ws = 'ws://127.0.0.1:9944';

/** The page's own node has no address: what is copied asks one that runs outside. */
export const startFirst = 'Start a node first: npx tabnode serve --dev';

export const lines = (...parts: readonly string[]): string => parts.join('\n');

export const isSubscription = ({ info }: CopyCall): boolean => info?.role === 'subscribe';
