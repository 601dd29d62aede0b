import { createNode } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from './platform.ts';
import { openPort } from './ports.ts';

/** A real node in the page (or the process) of the test, with manual sealing and one block above genesis. */
export const openPageNode = async () => {
  const node = await createNode(
    createTestPlatform(),
    testConfig('development', { offchainWorkers: 'never' }),
  );
  const port = openPort(node);
  await port.request('dev_newBlock', []);
  return {
    request: (method: string, params: readonly unknown[]): Promise<unknown> => port.request(method, params),
    subscribe: (
      method: string,
      params: readonly unknown[],
      onItem: (item: unknown) => void,
    ): Promise<string> => port.subscribe(method, params, onItem),
    close: () => node.close(),
  };
};
