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
      /** Why the parameters cannot be parsed, if the text alone determines it. */
      readonly fault?: string;
    }
  | { readonly kind: 'notification' }
  | { readonly kind: 'broken'; readonly id: Id; readonly error: RpcErrorData };

export type Incoming =
  | { readonly kind: 'single'; readonly message: Message }
  | { readonly kind: 'batch'; readonly messages: readonly Message[] }
  /** A text beyond a limit, refused as a whole. A batch has no id, nor has a call whose id was not found. */
  | { readonly kind: 'refused'; readonly id: Id; readonly error: RpcErrorData };

/** Flaws in the members of a message that a decoder refuses and that are lost when it is parsed. */
export type Flaw = {
  /** The id occurs twice, or is an integer written as a fraction (`1.0`, `1e2`, `-0`). */
  id: boolean;
  /** `jsonrpc`, `method` or `params` occurs twice (serde, "duplicate field"). */
  call: boolean;
};

/** Finds the flaws of the messages of a text. */
export type FlawReader = {
  /** Reads the name of the next member of a message, whose quotes are at `from` and before `to`. */
  member(from: number, to: number): void;
  /** The flaws of the message that ends here. */
  end(): Flaw;
};

export const broken = (id: Id, error: RpcErrorData): Message => ({ kind: 'broken', id, error });

/** Refuses a text that is not read, with its id where that can be found: its client waits for a response to it. */
export const refuseText = (text: string, error: RpcErrorData): Incoming => ({
  kind: 'refused',
  id: JSON.parse(idAtEnds(text) ?? 'null') as Id,
  error,
});
