import type { RpcErrorData } from './errors.ts';

export type Id = number | bigint | string | null;

/** One element of what came in. */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: Id;
      readonly method: string;
      readonly params: unknown;
      /** Why no parameter can be read, where that is known of the text alone. */
      readonly fault?: string;
    }
  | { readonly kind: 'notification' }
  | { readonly kind: 'broken'; readonly id: Id; readonly error: RpcErrorData };

export type Incoming =
  | { readonly kind: 'single'; readonly message: Message }
  | { readonly kind: 'batch'; readonly messages: readonly Message[] };

/** What a decoder refuses in the members of a message and their parsed value no longer shows. */
export type Flaw = {
  /** The id stands twice, or is a whole number written as a fraction (`1.0`, `1e2`, `-0`). */
  id: boolean;
  /** `jsonrpc`, `method` or `params` stands twice (serde, "duplicate field"). */
  call: boolean;
};

export const broken = (id: Id, error: RpcErrorData): Message => ({ kind: 'broken', id, error });
