import { expect, it } from 'vitest';
import { refuse } from './refusal.ts';

it('names each endpoint once, also where its reason is a sentence that does', () => {
  const failed = (endpoint: string, text: string) =>
    ({ endpoint, problem: { kind: 'failed', text, waitMs: null } }) as const;
  const problems = [
    failed('ws://a/', 'accepts no connection'),
    failed('ws://b/', 'Nothing answers at ws://b/: check that the node runs there.'),
  ];
  expect(refuse({ what: 'The header', block: Uint8Array.of(1) }, problems)).toMatchObject({
    code: 'EndpointFailed',
    message:
      'The header of block 0x01 could not be read: ws://a/ accepts no connection; Nothing answers at ws://b/: check that the node runs there.',
  });
});
