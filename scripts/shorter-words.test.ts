import words from '@polkadot/util-crypto/mnemonic/wordlists/en';
import { expect, test } from 'vitest';
import { shorterWords } from './shorter-words.ts';

test('the shortened module has the same words', async () => {
  const id = import.meta.resolve('@polkadot/util-crypto/mnemonic/wordlists/en');
  const { transform } = shorterWords as {
    transform: { handler: (code: string, id: string) => Promise<{ code: string }> };
  };
  const { code } = await transform.handler('', id);
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
    default: readonly string[];
  };
  expect(module.default).toEqual(words);
  expect(code.length).toBeLessThan(words.join('|').length);
});
