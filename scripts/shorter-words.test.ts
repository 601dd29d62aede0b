import { wordlist } from '@scure/bip39/wordlists/english.js';
import { expect, test } from 'vitest';
import { shorterWords } from './shorter-words.ts';

test('the shortened module has the same words', async () => {
  const id = import.meta.resolve('@scure/bip39/wordlists/english.js');
  const { transform } = shorterWords as {
    transform: { handler: (code: string, id: string) => Promise<{ code: string }> };
  };
  const { code } = await transform.handler('', id);
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
    wordlist: readonly string[];
  };
  expect(module.wordlist).toEqual(wordlist);
  expect(code.length).toBeLessThan(wordlist.join('|').length);
});
