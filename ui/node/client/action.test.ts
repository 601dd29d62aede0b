import { expect, it } from 'vitest';
import { Actions } from './action.svelte.ts';

const open = () => {
  const answers: PromiseWithResolvers<unknown>[] = [];
  const request = () => {
    const answer = Promise.withResolvers<unknown>();
    answers.push(answer);
    return answer.promise;
  };
  const hasSecret = (method: string): boolean => method === 'author_insertKey';
  return { actions: new Actions({ request, hasSecret } as never), answers };
};

it('runs one action at a time and describes it', async () => {
  const { actions, answers } = open();
  const first = actions.run('Building one block', 'dev_newBlock', [{ count: 1 }]);
  expect(actions.busy).toBe('Building one block');
  expect(await actions.run('Going back to genesis', 'dev_reset', [])).toBeNull();
  expect(answers.length).toBe(1);
  answers[0]?.resolve('0x01');
  expect(await first).toEqual({ value: '0x01' });
  expect([actions.busy, actions.fault]).toEqual([null, null]);
  expect(actions.last).toEqual({ method: 'dev_newBlock', params: [{ count: 1 }], result: '"0x01"' });
  actions.dismiss();
  expect(actions.last).toBeNull();
});

it('keeps an error until it is dismissed, and does not record the failed call', async () => {
  const { actions, answers } = open();
  const done = actions.run('Deleting the key', 'dev_setStorage', [[['0x01', null]]]);
  const error = new Error('unsafe');
  answers[0]?.reject(error);
  expect(await done).toBeNull();
  expect(actions.fault).toEqual({ what: 'Deleting the key', error });
  expect([actions.busy, actions.last]).toEqual([null, null]);
  actions.dismiss();
  expect(actions.fault).toBeNull();
});

it('hides secret params', async () => {
  const { actions, answers } = open();
  const done = actions.run('Storing the key', 'author_insertKey', ['imon', '//Bob', '0x01']);
  answers[0]?.resolve(null);
  await done;
  expect(actions.last).toEqual({ method: 'author_insertKey', params: ['(hidden)'], result: 'null' });
});
