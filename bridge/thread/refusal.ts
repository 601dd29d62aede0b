import { type ErrorCode, errorCodes, NodeError } from '../../src/protocol/errors.ts';
import { JsonRpcError } from '../../src/protocol/json-rpc/json-rpc-error.ts';

/** The error that a method reports as a `NodeError`: its code is in the data of the response. Others stay as they are. */
export const toNodeError = (error: unknown): unknown => {
  if (!(error instanceof JsonRpcError)) return error;
  const { data, message } = error;
  const isCode = typeof data === 'string' && Object.hasOwn(errorCodes, data);
  const text = isCode || typeof data !== 'string' ? message : `${message}: ${data}`;
  return new NodeError(isCode ? (data as ErrorCode) : 'BadValue', text, { cause: error });
};
