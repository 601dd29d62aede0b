import type { Behavior } from '../../worker/origin/fake-endpoint.fixture.ts';

/** Changes the results of one method. */
export const lies = (method: string, change: (result: any, params: readonly any[]) => unknown): Behavior => ({
  result: (call, honest) => (call.method === method ? change(honest(), call.params) : honest()),
});

/** Changes the nodes of read proofs. */
export const proofLies = (change: (proof: string[]) => string[]): Behavior =>
  lies('state_getReadProof', (result: { proof: string[] }) => ({ ...result, proof: change(result.proof) }));
