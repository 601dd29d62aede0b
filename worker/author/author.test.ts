import { expect, it } from 'vitest';
import { maxSealJobs } from '../../src/protocol/limits.ts';
import { type AuthorDeps, createAuthor } from './author.ts';

it('refuses to seal when too many requests are queued, and seals again afterwards', async () => {
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  const deps = { settled: () => settled, pool: { readyCount: () => 0 } } as unknown as AuthorDeps;
  const author = createAuthor(deps);
  const request = { createEmpty: false, finalize: false };
  const asked = Array.from({ length: maxSealJobs }, () => author.seal(request));
  expect(await author.seal(request)).toMatchObject({ ok: false, code: 'QueueFull' });
  resolve();
  for (const result of await Promise.all(asked)) expect(result).toMatchObject({ code: 'EmptyPool' });
  expect(await author.seal(request)).toMatchObject({ code: 'EmptyPool' });
});
