import { expect, it, vi } from 'vitest';
import type { NodeStatus } from '../../../../src/index.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import { SharedStatus } from '../../../node/node-status.svelte.ts';
import { Control } from './control.svelte.ts';

const statusOf = (finality: string) =>
  ({ finality: { kind: finality }, seal: { kind: 'manual' } }) as NodeStatus;

it('a change during a read is picked up by one more read', async () => {
  const answers: PromiseWithResolvers<NodeStatus>[] = [];
  const request = vi.fn(async () => []);
  const status = () => {
    const answer = Promise.withResolvers<NodeStatus>();
    answers.push(answer);
    return answer.promise;
  };
  const heard: unknown[] = [];
  const node = { offers: () => false, request, status } as unknown as UiNode;
  const control = new Control(node, new SharedStatus(node, ({ finality }) => heard.push(finality.kind)));
  const first = control.read();
  // Finality is set during the first read, and two more reads are requested.
  const second = Promise.all([control.read(), control.read()]);
  answers[0]?.resolve(statusOf('delayed'));
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  expect(heard).toEqual(['delayed']);
  answers[1]?.resolve(statusOf('manual'));
  await Promise.all([first, second]);
  expect([heard, request.mock.calls.length]).toEqual([['delayed', 'manual'], 2]);
});
