import { expect } from 'vitest';
import type * as z from 'zod/mini';
import type { Connection } from '../../src/connection.ts';
import { refusal } from './special-cases.ts';
import { createInbox, sealBlock, type World } from './world.ts';

/** One test of one row. */
export type Case = (world: World) => Promise<void>;

/** Asserts that the value has the expected form. */
export const parse = (schema: z.ZodMiniType, value: unknown): void =>
  expect(schema.safeParse(value).error?.issues ?? null).toBeNull();

/** The error of a failed call. */
export const errorOf = (
  connection: Connection,
  method: string,
  params: readonly unknown[],
): Promise<unknown> => refusal(connection.request(method, params));

/** The response to a call on an open connection. */
export const result = async (
  world: World,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> => (await world.connect('open')).request(method, params);

/** Submits an extrinsic and follows its statuses. */
export const watch = async (connection: Connection, extrinsic: string) => {
  const inbox = createInbox<unknown>();
  const id = await connection.subscribe('author_submitAndWatchExtrinsic', [extrinsic], inbox.put);
  return { id, next: inbox.next };
};

/** The specification with a starting state for light clients. */
export const specification = async (world: World): Promise<Record<string, unknown>> => {
  await sealBlock(await world.connect('open'), { finalize: true });
  return (await result(world, 'sync_state_genSyncSpec', [true])) as Record<string, unknown>;
};

/** A member given by its path, such as `digest.logs`. */
export const fieldOf = (value: unknown, path: string): unknown =>
  path.split('.').reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);
