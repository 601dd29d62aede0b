import { NodeError } from '../../src/protocol/errors.ts';
import type { Request } from './request.ts';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The work's own error, which says as well if it could not be undone. */
const alsoNotUndone = (error: unknown, name: string, fault: unknown): NodeError =>
  new NodeError(
    error instanceof NodeError ? error.code : 'Internal',
    `${messageOf(error)}. What was done before could not be undone (${messageOf(fault)}): dev_restore of the snapshot ${name} does it`,
    { cause: error },
  );

/** The snapshot is kept if it could not be restored. */
const undo = async (request: Request, name: string): Promise<void> => {
  await request('dev_restore', [name]);
  await request('dev_deleteSnapshot', [name]);
};

/** `isUndone`: also if the work succeeds. */
const within = async <T>(
  request: Request,
  name: string,
  isUndone: boolean,
  work: () => Promise<T>,
): Promise<T> => {
  await request('dev_snapshot', [name]);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await undo(request, name).catch((fault: unknown) => {
      throw alsoNotUndone(error, name, fault);
    });
    throw error;
  }
  if (isUndone) await undo(request, name);
  else await request('dev_deleteSnapshot', [name]);
  return result;
};

/** Leaves the node as it was, whether the work succeeds or not. `name`: of a snapshot that nobody else uses. */
export const undone = <T>(request: Request, name: string, work: () => Promise<T>): Promise<T> =>
  within(request, name, true, work);

/** All of the work, or none: what it has changed is undone if it fails. */
export const orUndone = <T>(request: Request, name: string, work: () => Promise<T>): Promise<T> =>
  within(request, name, false, work);
