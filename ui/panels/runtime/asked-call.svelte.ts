import { writeJson } from '../../../src/protocol/json.ts';
import { callText } from '../../kit/text/call-text.ts';
import { type Query, query } from '../../node/client/query.svelte.ts';
import type { UiNode } from '../../node/client/ui-node.ts';

/** A runtime function, its SCALE bytes as 0x text, and the block; null for the best one. */
type Call = { readonly name: string; readonly input: string; readonly hash: string | null };

/** What the runtime returned as 0x text, the duration in milliseconds, and the JSON-RPC call as text. */
export type CallAnswer = { readonly hex: string; readonly ms: number; readonly text: string };

const load = async ({ rpc }: Pick<UiNode, 'rpc'>, { name, input, hash }: Call): Promise<CallAnswer> => {
  const startMs = performance.now();
  const hex = await rpc.state_call({ name, bytes: input, hash });
  const params = writeJson([name, input, ...(hash === null ? [] : [hash])]);
  return { hex, ms: performance.now() - startMs, text: callText({ id: 1, method: 'state_call', params }) };
};

/**
 * Calls the runtime on `run`. The answer is dropped as soon as `written` returns another call than the one
 * that was made.
 */
export const createAskedCall = (
  node: Pick<UiNode, 'rpc'>,
  written: () => Call | null,
): { readonly answer: Query<CallAnswer>; run(): void } => {
  let called = $state.raw<Call | null>(null);
  const answer = query(
    () => {
      const now = written();
      const isSame = called?.name === now?.name && called?.input === now?.input && called?.hash === now?.hash;
      return called !== null && isSame ? called : undefined;
    },
    (call) => load(node, call),
  );
  return {
    answer,
    run: () => {
      called = written();
    },
  };
};
