import { describe, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import type { Request } from './request.ts';
import { orUndone, undone } from './undone.ts';

/** A node that refuses the given methods. */
const createNode = (...refused: readonly string[]) => {
  const called: string[] = [];
  const request: Request = async (method, params) => {
    called.push([method, ...params].join(' '));
    if (refused.includes(method)) throw new NodeError('StorageQuota', `no ${method}`);
    return null;
  };
  return { request, called };
};

const fails = async (): Promise<never> => {
  throw new NodeError('BadValue', 'the value does not fit');
};
const [taken, restored, deleted] = ['dev_snapshot it', 'dev_restore it', 'dev_deleteSnapshot it'];

describe('work that is undone', () => {
  it('leaves nothing behind, whether it succeeds or not', async () => {
    const { request, called } = createNode();
    expect(await undone(request, 'it', async () => 5)).toBe(5);
    await expect(undone(request, 'it', fails)).rejects.toMatchObject({ code: 'BadValue' });
    expect(called).toEqual([taken, restored, deleted, taken, restored, deleted]);
  });

  it('stays if all of it succeeds, where it is undone only if it fails', async () => {
    const { request, called } = createNode();
    expect(await orUndone(request, 'it', async () => 5)).toBe(5);
    await expect(orUndone(request, 'it', fails)).rejects.toThrow('the value does not fit');
    expect(called).toEqual([taken, deleted, taken, restored, deleted]);
  });

  it('fails with its own error if it cannot be undone, and names the snapshot that is left', async () => {
    const { request, called } = createNode('dev_restore');
    for (const run of [undone, orUndone])
      await expect(run(request, 'it', fails)).rejects.toMatchObject({
        code: 'BadValue',
        message:
          'the value does not fit. What was done before could not be undone (no dev_restore): dev_restore of the snapshot it does it',
      });
    expect(called).toEqual([taken, restored, taken, restored]);
  });
});
