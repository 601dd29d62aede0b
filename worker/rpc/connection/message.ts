import { idAtEnds } from '../../../src/protocol/request-ids.ts';
import type { RpcErrorData } from '../errors.ts';

export type Id = number | bigint | string | null;

/** One element of an incoming message. */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: Id;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly kind: 'notification' }
  | { readonly kind: 'broken'; readonly id: Id; readonly error: RpcErrorData };

export type Incoming =
  | { readonly kind: 'single'; readonly message: Message }
  | { readonly kind: 'batch'; readonly messages: readonly Message[] }
  /** A text beyond a limit, refused as a whole. A batch has no id, nor has a call whose id was not found. */
  | { readonly kind: 'refused'; readonly id: Id; readonly error: RpcErrorData };

export const broken = (id: Id, error: RpcErrorData): Message => ({ kind: 'broken', id, error });

/** Refuses a text that is not read, with its id where that can be found: its client waits for a response to it. */
export const refuseText = (text: string, error: RpcErrorData): Incoming => ({
  kind: 'refused',
  id: JSON.parse(idAtEnds(text) ?? 'null') as Id,
  error,
});
