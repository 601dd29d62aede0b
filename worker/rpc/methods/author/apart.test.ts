import { expect, it } from 'vitest';
import type { BlockHash } from '../../../codec/identity.ts';
import type { TransactionStatus } from '../../../pool/watchers.ts';
import { apart } from './apart.ts';

const block = '0x01' as BlockHash;
const inBlock: TransactionStatus = { kind: 'inBlock', block, index: 0 };
const finalized: TransactionStatus = { kind: 'finalized', block, index: 0 };

const watch = () => {
  const seen: string[] = [];
  let due: (() => void) | null = null;
  const schedule = (_ms: number, run: () => void) => {
    due = run;
    return () => {
      due = null;
    };
  };
  const { watcher, end } = apart(schedule, ({ kind }) => void seen.push(kind));
  return { seen, watcher, end, pass: () => due?.() };
};

it('holds finalized back while inBlock is recent', () => {
  const { seen, watcher, pass } = watch();
  watcher({ kind: 'ready' });
  watcher(inBlock);
  watcher(finalized);
  expect(seen).toEqual(['ready', 'inBlock']);
  pass();
  expect(seen).toEqual(['ready', 'inBlock', 'finalized']);
});

it('passes on finalized that comes later, and every other status at once', () => {
  const { seen, watcher, pass } = watch();
  watcher(inBlock);
  watcher({ kind: 'retracted', block });
  watcher(inBlock);
  pass();
  watcher(finalized);
  pass();
  expect(seen).toEqual(['inBlock', 'retracted', 'inBlock', 'finalized']);
});

it('emits nothing more once it has ended', () => {
  const { seen, watcher, end, pass } = watch();
  watcher(inBlock);
  watcher(finalized);
  end();
  pass();
  expect(seen).toEqual(['inBlock']);
});
