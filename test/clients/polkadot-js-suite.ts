import type { ApiPromise } from '@polkadot/api';
import { expect } from 'vitest';
import { cases } from './polkadot-js-cases.ts';
import { prepare } from './polkadot-js-world.ts';

/** Every method that polkadot-js decorated for this node. */
export const decoratedNames = (api: ApiPromise): string[] =>
  Object.entries(api.rpc).flatMap(([section, methods]) =>
    Object.keys(methods as object).map((method) => `${section}_${method}`),
  );

/** Calls every decorated method; lists those that are wrong or have no case. */
export const callDecorated = async (api: ApiPromise, names: readonly string[]): Promise<string[]> => {
  const world = await prepare(api);
  const wrong: string[] = [];
  for (const name of names) {
    const found = cases.get(name);
    if (found === undefined) {
      wrong.push(`${name}: no case`);
      continue;
    }
    const [ask, expected] = found;
    try {
      expect(await ask(world)).toEqual(expected);
    } catch (error) {
      wrong.push(`${name}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`);
    }
  }
  return wrong;
};
