import { expect, it, vi } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { notice, processOutput } from './terminal.ts';

it('writes no control sequences of others to the terminal', () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  processOutput.error(new NodeError('BadConfig', '--seal \u001b[31mred\u009b2J:\ta\nb'), false);
  notice('folder \u0007', false);
  notice('folder \u0007', true);
  write.mockRestore();
  expect(lines).toEqual([
    'Error BadConfig: --seal ?[31mred?2J:\ta\nb\n',
    'folder ?\n',
    '{"event":"notice","message":"folder \\u0007"}\n',
  ]);
});
