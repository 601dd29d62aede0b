import { expect, it } from 'vitest';
import { NodeError } from '../../../src/protocol/errors.ts';
import { JsonRpcError } from '../../../src/protocol/json-rpc/json-rpc-error.ts';
import { refusedText } from '../../node/client/refusal-text.ts';
import { faultWords } from './fault-words.ts';
import { faultText } from './format.ts';

const frames = Array.from(
  { length: 12 },
  (_, index) => `  ${index}: 0x1a${index} - <unknown>!rust_begin_unwind`,
);
const native = `Execution failed: Execution aborted due to trap: wasm trap: wasm \`unreachable\` instruction executed\nWASM backtrace:\nerror while executing at wasm backtrace:\n${frames.join('\n')}`;
const panic = 'panicked at frame/executive/src/lib.rs:823:17:\nInvalid inherent position';

it.each([
  ['a native node', new JsonRpcError(11000, native), 'The runtime trapped while sealing a block.'],
  [
    'a native node, in its data',
    new JsonRpcError(4003, 'Client error', native),
    'The runtime trapped while sealing a block.',
  ],
  [
    'a native node that has the reason',
    new JsonRpcError(
      1002,
      'Verification Error',
      `Execution aborted due to panic: ${panic}\nWASM backtrace:\n${frames.join('\n')}`,
    ),
    'The runtime trapped while sealing a block: panicked at frame/executive/src/lib.rs:823:17:',
  ],
  [
    'our node',
    new NodeError('RuntimeTrap', 'BlockBuilder_finalize_block: unreachable'),
    'The runtime trapped while sealing a block.',
  ],
])('a trap of %s is one sentence, with the backtrace behind it', (_, fault, text) => {
  const words = faultWords(fault, 'while sealing a block');
  expect(words.text).toBe(text);
  const original = String((fault as { data?: unknown }).data ?? fault.message);
  expect(words.details).toContain(original);
  for (const shown of [faultText(fault), refusedText(fault)]) {
    expect(shown).toMatch(/^The runtime trapped/);
    expect(shown).not.toMatch(/backtrace|rust_begin_unwind|\n/);
  }
});

it('a short error is said as it is; of a long one, the first line, in at most 200 characters', () => {
  expect(faultWords(new Error('The pool is empty'))).toEqual({ text: 'The pool is empty', details: null });
  expect(faultWords('no key')).toEqual({ text: 'no key', details: null });
  const long = faultWords(new Error(`${'a'.repeat(500)}\nsecond`));
  expect(long.text).toBe(`${'a'.repeat(200)}…`);
  expect(long.details).toContain('second');
});

it('an error that the page explains is no trap for it', () => {
  const fault = Object.assign(new Error(native), { explained: 'The state was discarded.' });
  expect(faultWords(fault).text).toBe('The state was discarded.');
});
