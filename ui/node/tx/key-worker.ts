import { NodeError } from '../../../src/protocol/errors.ts';
import { createHeldKeys } from './held-keys.ts';
import type { FromKeys, KeyCalls, ToKeys } from './key-words.ts';

// Keys live in a worker of their own: the page never has a secret after it was typed, and scrypt does not block it.
const page = globalThis as unknown as {
  postMessage(word: FromKeys): void;
  onmessage: ((event: MessageEvent<ToKeys>) => void) | null;
};
const keys = createHeldKeys();

const answer = async ({ turn, call, args }: ToKeys): Promise<void> => {
  const onOpened = (done: number, total: number) => page.postMessage({ turn, done, total });
  try {
    const run = keys[call] as (...all: readonly unknown[]) => ReturnType<KeyCalls[typeof call]>;
    page.postMessage({ turn, value: await run(...args, onOpened) });
  } catch (error) {
    const code = error instanceof NodeError ? error.code : null;
    page.postMessage({
      turn,
      fault: { code, message: error instanceof Error ? error.message : String(error) },
    });
  }
};

page.onmessage = ({ data }) => void answer(data);
