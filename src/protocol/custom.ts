import { NodeError } from './errors.ts';
import type { CustomInfo, Dialect } from './node.ts';

/** Information about the connection that calls a custom method. */
export type CustomContext = { readonly denyUnsafe: boolean; readonly dialect: Dialect };

/**
 * Receives the JSON-RPC `params` unchanged and returns any JSON value. An error's `code`, `message` and
 * `data` are sent to the caller.
 */
export type CustomHandler = (params: unknown, context: CustomContext) => unknown;

/** A JSON-RPC method of the embedding program. A plain function is marked safe and has no description. */
export type CustomMethod =
  | CustomHandler
  | { readonly call: CustomHandler; readonly doc?: string; readonly safety?: 'safe' | 'unsafe' };

export type CustomMethods = Readonly<Record<string, CustomMethod>>;

/** One call of a page's method; the result carries the same id. */
export type CustomCall = {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
  readonly context: CustomContext;
};
export type CustomAnswer =
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number;
      readonly error: { readonly code: number; readonly message: string; readonly data?: string };
    };

/** The parts of a registered method. Throws `BadConfig` for an invalid one. */
export const readCustomMethod = (
  name: string,
  method: unknown,
): CustomInfo & { readonly call: CustomHandler } => {
  const given = (typeof method === 'function' ? { call: method } : (method ?? {})) as Record<string, unknown>;
  const { call, doc = 'A method of the embedding program.', safety = 'safe' } = given;
  if (!/^[A-Za-z][\w.]{0,99}$/.test(name))
    throw new NodeError('BadConfig', `"${name}" cannot be a JSON-RPC method`);
  if (typeof call !== 'function' || typeof doc !== 'string' || (safety !== 'safe' && safety !== 'unsafe'))
    throw new NodeError(
      'BadConfig',
      `The JSON-RPC method ${name} has no handler, or its doc or safety is none`,
    );
  return { name, doc, safety, call: call as CustomHandler };
};

/** The error a caller receives for a thrown value. */
export const customError = (error: unknown): { code: number; message: string; data?: string } => {
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  if (Number.isInteger(code) && typeof message === 'string')
    return { code: code as number, message, ...(typeof data === 'string' ? { data } : {}) };
  return {
    code: -32603,
    message: 'Internal error',
    data: typeof message === 'string' ? message : String(error),
  };
};
