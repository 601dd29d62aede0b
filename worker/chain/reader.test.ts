import { expect, test } from 'vitest';
import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import type { BlockHash } from '../codec/identity.ts';
import { createReader, type ReaderDeps } from './reader.ts';

const failing = (code: ErrorCode) =>
  createReader({
    store: {},
    tree: {},
    timings: {},
    events: {},
    view: {
      backendAt: async () => {
        throw new NodeError(code);
      },
    },
  } as unknown as ReaderDeps);
const block = '0x1' as string as BlockHash;

test.each(['StateDiscarded', 'UnknownBlock'] as const)('%s means that a state is not kept', async (code) => {
  expect(await failing(code).isStateKept(block)).toBe(false);
});

test.each(['StorageBroken', 'BadScale', 'Internal'] as const)('%s does not mean it', async (code) => {
  await expect(failing(code).isStateKept(block)).rejects.toMatchObject({ code });
});
