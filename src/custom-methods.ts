import {
  type CustomAnswer,
  type CustomCall,
  type CustomMethods,
  customError,
  readCustomMethod,
} from './protocol/custom.ts';
import type { NodeConfig } from './protocol/node.ts';

/**
 * Handles calls of the page's own methods over a port. The other end is sent to the worker together with the
 * description of the methods.
 */
export const servePageMethods = (given: CustomMethods): NonNullable<NodeConfig['rpcPage']> => {
  const methods = Object.entries(given).map(([name, method]) => readCustomMethod(name, method));
  const byName = new Map(methods.map((method) => [method.name, method]));
  const { port1, port2 } = new MessageChannel();
  const answer = async ({ id, method, params, context }: CustomCall): Promise<CustomAnswer> => {
    try {
      return { id, result: await byName.get(method)?.call(params, context) };
    } catch (error) {
      return { id, error: customError(error) };
    }
  };
  port1.onmessage = async ({ data }: { data: CustomCall }): Promise<void> => {
    const message = await answer(data);
    try {
      port1.postMessage(message);
    } catch (error) {
      // A value that cannot be cloned cannot be a result.
      port1.postMessage({ id: data.id, error: customError(error) } satisfies CustomAnswer);
    }
  };
  return { port: port2, methods: methods.map(({ name, doc, safety }) => ({ name, doc, safety })) };
};
