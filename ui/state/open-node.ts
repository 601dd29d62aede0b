import { NodeError } from '../../src/protocol/errors.ts';
import type { OpenNode } from './ui-node.ts';

export const openNode: OpenNode = async () => {
  throw new NodeError('BadConfig', 'The library is not there yet.');
};
